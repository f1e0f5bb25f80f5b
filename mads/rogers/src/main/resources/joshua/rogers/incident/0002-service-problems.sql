-- What services say is wrong with them, at present. Times are milliseconds since 1970.
create table service_problems (
  mad_id text not null,
  instance text not null,
  what text not null,                 -- model_refuses, tasks_fail
  at bigint not null,                 -- since then
  detail text not null
);
create index service_problems_mad on service_problems (mad_id);
