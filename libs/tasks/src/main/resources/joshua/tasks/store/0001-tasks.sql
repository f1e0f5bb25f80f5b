-- The first eight columns say what a task is; the others are what doing and finding it needs.
create table tasks (
  task_id text primary key,
  status text not null check (status in ('PENDING', 'RUNNING', 'STREAMING', 'COMPLETED', 'FAILED')),
  requester_id text not null,
  prompt text not null,
  result_payload text,
  error_details text,
  created_at text not null,
  updated_at text not null,
  started_at text,
  kind text not null,
  input text not null,
  conversation_id text not null,
  correlation_id text not null,
  idempotency_key text,
  input_digest text not null,
  attempt integer not null default 0,
  cancelled_by text,
  check ((status = 'COMPLETED') = (result_payload is not null)),
  check ((status = 'FAILED') = (error_details is not null)),
  check ((status = 'PENDING') = (attempt = 0))
);

create index tasks_by_creation on tasks (created_at);
create index tasks_by_requester on tasks (requester_id, task_id);
create index tasks_by_status on tasks (status, task_id);
create index tasks_by_requester_and_status on tasks (requester_id, status, task_id);
create index tasks_by_conversation on tasks (conversation_id, task_id);
create unique index tasks_by_idempotency_key on tasks (requester_id, idempotency_key)
  where idempotency_key is not null;

-- The state machine once more (wire contract §4): whoever writes here goes these ways only.
create trigger tasks_take_allowed_steps before update of status on tasks
when old.status || '>' || new.status not in (
  'PENDING>RUNNING', 'RUNNING>STREAMING', 'STREAMING>RUNNING', 'RUNNING>RUNNING',
  'RUNNING>COMPLETED', 'STREAMING>COMPLETED', 'RUNNING>FAILED', 'STREAMING>FAILED')
begin
  select raise(abort, 'a task does not take that step');
end;

create trigger tasks_begin_as_pending before insert on tasks when new.status <> 'PENDING'
begin
  select raise(abort, 'a task begins as PENDING');
end;

-- A row for each task that somebody still has to care for, and no other: so it stays small.
-- WAITING to be run, WORKING, or ended and TELLING: its notification isn't known to be out.
create table active_tasks (
  task_id text primary key references tasks on delete cascade,
  stage text not null check (stage in ('WAITING', 'WORKING', 'TELLING')),
  holder text,
  lease_until integer not null default 0,
  version integer not null default 0,
  published integer not null default 0,
  check (stage <> 'WAITING' or holder is null)
) without rowid;

create index active_tasks_by_age on active_tasks (stage, task_id);
create index active_tasks_by_lease on active_tasks (stage, lease_until);

-- What was streamed in a task's latest attempt: frames from `sequence` on, as a JSON array.
create table stream_portions (
  task_id text not null references tasks on delete cascade,
  attempt integer not null,
  sequence integer not null,
  count integer not null check (count > 0),
  frames text not null,
  primary key (task_id, attempt, sequence)
) without rowid;
