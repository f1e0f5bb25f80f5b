-- What wasn't as it should be. Times are milliseconds since 1970.
create table incidents (
  incident_id integer primary key,
  at bigint not null,
  last_at bigint not null,            -- it went on until then
  kind text not null,                 -- dead_letter, unheard, storm, loop or missed
  subject text not null,              -- a channel, or participants with commas between
  messages bigint not null,           -- 0 where their number isn't known
  detail text not null,
  is_problem boolean not null,        -- somebody should look after it
  head text                           -- the beginning of a message that can't be read
);
create index incidents_alike on incidents (kind, subject, last_at);
create index incidents_at on incidents (at);

-- What the clients of relays follow, as their relays say every ten seconds.
create table subscriptions (
  relay text not null,
  pattern text not null,
  clients integer not null,
  at bigint not null,
  primary key (relay, pattern)
) without rowid;
