-- Who is woken by a runner. Times are milliseconds since 1970.
create table waker (
  participant text primary key,
  attention text not null,            -- ALL, DIRECT: not for posts, NONE
  quiet_until bigint,
  runner_at bigint not null,          -- when its runner last called
  paused_reason text
) without rowid;

create table wake (
  wake_id integer primary key,
  participant text not null,
  thread_id text,                     -- of the newest message, if that is a post
  up_to integer not null,             -- the position of the newest message
  state text not null,                -- DUE, RUNNING, DONE, DEAD
  attempt integer not null,
  tries integer not null,             -- attempts that count
  due_at bigint not null,
  lease_until bigint,
  busy_since bigint,                  -- its command can't wake now
  created_at bigint not null,
  ended_at bigint,
  last_error text
);
create unique index wake_outstanding on wake (participant) where state in ('DUE', 'RUNNING');
create index wake_participant on wake (participant, created_at);

create table wake_attempt (
  wake_id integer not null,
  attempt integer not null,
  participant text not null,
  at bigint not null,
  outcome text not null,              -- running, ended, busy, there, failed
  detail text,
  primary key (wake_id, attempt)
) without rowid;
create index wake_attempt_participant on wake_attempt (participant, at);
create trigger wake_deleted after delete on wake begin
  delete from wake_attempt where wake_id = old.wake_id;
end;
