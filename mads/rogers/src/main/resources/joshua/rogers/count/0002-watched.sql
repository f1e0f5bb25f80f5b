insert into watched select id, counted_since_at, seen_until_at from watermark;
alter table watermark drop column counted_since_at;
alter table watermark drop column seen_until_at;
insert into watermark (id, per_second) values (1, 0) on conflict do nothing;
