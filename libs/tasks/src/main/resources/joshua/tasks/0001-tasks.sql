-- What a task is: one insert and one update in its life. Times are milliseconds since 1970.
create table task_record (
  task_id text primary key,           -- a UUID of version 7: the order of creation
  status text not null,               -- PENDING until it has ended
  requester_id text not null,
  kind text not null,                 -- WORK or QUESTION
  prompt text not null,
  input text,                         -- what else was asked for, as JSON
  result_payload text,
  error_details text,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  attempts integer not null default 0,
  model text,
  tokens_in bigint,
  tokens_out bigint,
  conversation_id text not null,
  correlation_id text not null,
  parent_id text,
  idempotency_key text,
  input_digest text                   -- with a key alone
);
create index task_requester on task_record (requester_id, task_id);
create index task_conversation on task_record (conversation_id, task_id);
create index task_failed on task_record (task_id) where status = 'FAILED';
create unique index task_key on task_record (requester_id, idempotency_key)
  where idempotency_key is not null;

-- What still needs somebody: small, rewritten often, gone when the requester has been told.
create table work (
  task_id text primary key,
  stage integer not null,             -- 0 blocked, 1 ready, 2 held, 3 ended but untold
  queue text not null,                -- '' for this service's own work
  priority integer not null default 0,
  due_at bigint not null,             -- ready: not before; held and untold: the end of the lease
  holder text,
  attempt integer not null default 0, -- which fences off holders of before
  tries_left integer not null,
  waits_for integer not null default 0,
  cancelled_by text,
  same_key text,                      -- of a task that hasn't ended: who asked, where, and what
  streamed bigint not null default 0, -- characters of text
  started_at bigint,
  updated_at bigint not null
) without rowid;
create index work_next on work (stage, queue, priority, due_at, task_id);
create unique index work_same on work (same_key) where same_key is not null;

create table frame (
  task_id text not null,
  attempt integer not null,
  sequence integer not null,
  model text,
  token text not null,
  last boolean not null,
  primary key (task_id, attempt, sequence)
) without rowid;

-- Tasks with how they stand now.
create view task_state as
  select t.*,
    case
      when t.status <> 'PENDING' then t.status
      when w.stage = 2 and w.streamed > 0 then 'STREAMING'
      when w.stage = 2 then 'RUNNING'
      else 'PENDING'
    end as state,
    coalesce(t.started_at, w.started_at) as begun_at,
    coalesce(t.ended_at, w.updated_at, t.created_at) as updated_at,
    coalesce(w.attempt, t.attempts) as attempt,
    coalesce(w.tries_left, 0) as tries_left,
    w.cancelled_by, w.stage, w.streamed
  from task_record t left join work w on w.task_id = t.task_id;

-- The tasks as the design names them.
create view tasks as
  select task_id, state as status, requester_id, prompt, result_payload, error_details,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') as updated_at
  from task_state;
