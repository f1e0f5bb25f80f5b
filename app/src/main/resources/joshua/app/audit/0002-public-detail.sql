alter table audit add column public_detail text;
