-- Times are milliseconds since 1970.
create table watched (
  id integer primary key check (id = 1),
  since_at bigint not null,           -- nothing is known of the time before
  until_at bigint not null            -- nor, yet, of the time after
);

-- When something may have been published in between that the service didn't receive.
create table if not exists not_seen ( -- Rogers' 0001-traffic.sql has made it, too
  span_id integer primary key,
  since_at bigint not null,
  until_at bigint,                    -- null while it lasts
  reason text not null
);
