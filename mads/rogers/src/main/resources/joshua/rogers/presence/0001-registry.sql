-- Who was heard on the bus. Times are milliseconds since 1970, but for the two that the design has.
create table connections (
  mad_id text primary key,
  status text not null,               -- HEALTHY, CONNECTED, STALE or DISCONNECTED
  cause text not null,                -- why, as a word for queries
  why text not null,                  -- and as a sentence for people
  connected_at text not null,
  last_heartbeat text not null,       -- its last message of any kind
  since_at bigint not null,           -- in this state
  has_beaten boolean not null,
  left_at bigint,
  left_reason text,
  busy_until_at bigint,
  interval_s integer,                 -- between its heartbeats, as it says
  version text,
  via text,                           -- the relay that speaks for it
  via_instance text,
  instances text not null             -- JSON: each with its last heartbeat
) without rowid;

create table connection_events (
  event_id integer primary key,
  at bigint not null,
  mad_id text not null,
  status_before text,                 -- null for somebody new
  status text not null,
  cause text not null,
  why text not null
);
create index connection_events_at on connection_events (at);
create index connection_events_mad on connection_events (mad_id, at);
