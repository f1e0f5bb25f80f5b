BEGIN TRANSACTION;
CREATE TABLE "frame" (
  task_id text not null,
  attempt integer not null,
  sequence integer not null,
  model text,
  token text not null,
  last boolean not null,
  primary key (task_id, attempt, sequence)
);
INSERT INTO "frame" VALUES('01a2220a-fc5c-7000-908a-f209480321d3',1,0,NULL,'Ask in plain words',1);
INSERT INTO "frame" VALUES('01a2220b-0c8c-7000-be30-5940f94747db',1,0,NULL,'There are no such tasks.',1);
INSERT INTO "frame" VALUES('01a2220b-15e7-7000-9b15-31c15241cc8d',1,0,NULL,'',1);
CREATE TABLE schema_version (
  number integer primary key, name text not null, applied_at bigint not null);
INSERT INTO "schema_version" VALUES(1,'0001-tasks.sql',1795867471201);
INSERT INTO "schema_version" VALUES(2,'0002-fewer-pages.sql',1795867471216);
CREATE TABLE task_record (
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
INSERT INTO "task_record" VALUES('01a2220a-fc5c-7000-908a-f209480321d3','COMPLETED','admin','QUESTION','help','{"command":"help"}','{"text":"Ask in plain words"}',NULL,1795867475036,1795867475036,1795867475093,1,NULL,NULL,NULL,'01a2220a-fc5c-7001-8137-3c0540a9a3ee','01a2220a-fc4b-7000-b9a7-304ed2d81fbc',NULL,NULL,NULL);
INSERT INTO "task_record" VALUES('01a2220b-0c8c-7000-be30-5940f94747db','COMPLETED','admin','QUESTION','stats by=requester','{"command":"stats by=requester"}','{"text":"There are no such tasks.","stage":"dtr","read_as":"stats by=requester","model":null,"usage":null,"truncated":false,"evidence":[{"query":"stats","arguments":{"by":"requester"},"rows":[]}]}',NULL,1795867479180,1795867479180,1795867479203,1,NULL,NULL,NULL,'01a2220b-0c8c-7001-8bec-119a73fca05e','01a2220b-0c82-7000-a91e-4610c466101b',NULL,NULL,NULL);
INSERT INTO "task_record" VALUES('01a2220b-15e7-7000-9b15-31c15241cc8d','FAILED','admin','WORK','write a poem','{}',NULL,'{"message":"No command is meant by this; commands look things up, and change nothing. The nearest are:\n  tasks: Tasks, newest first.\n  task: One task with its result or its error.\n  stats: How many tasks there were and failed, how long they took, and tokens used.\n  help: All that can be asked.\nAnything else needs a model, and none is configured: set JOSHUA_MODEL_PROVIDER (openai, anthropic or ollama), JOSHUA_MODEL_NAME, and JOSHUA_MODEL_API_KEY_FILE where it wants a key, and start again.","stack_trace":""}',1795867481575,1795867481575,1795867481614,1,NULL,NULL,NULL,'01a2220b-15e7-7001-b70f-f7e1972af363','01a2220b-15b5-7000-b915-2492bfff4395',NULL,NULL,NULL);
INSERT INTO "task_record" VALUES('01a2220c-0000-7000-908a-f209480321d3','PENDING','admin','QUESTION','queue','{"command":"queue"}',NULL,NULL,1795867505036,NULL,NULL,0,NULL,NULL,NULL,'01a2220c-0000-7000-908a-f209480321d4','01a2220c-0000-7000-908a-f209480321d5',NULL,NULL,NULL);
CREATE TABLE work (
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
INSERT INTO "work" VALUES('01a2220c-0000-7000-908a-f209480321d3',1,'',0,1795867505036,NULL,0,3,0,NULL,NULL,0,NULL,1795867505036);
CREATE INDEX task_requester on task_record (requester_id, task_id);
CREATE INDEX task_conversation on task_record (conversation_id, task_id);
CREATE INDEX task_failed on task_record (task_id) where status = 'FAILED';
CREATE UNIQUE INDEX task_key on task_record (requester_id, idempotency_key)
  where idempotency_key is not null;
CREATE UNIQUE INDEX work_same on work (same_key) where same_key is not null;
CREATE VIEW task_state as
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
CREATE VIEW tasks as
  select task_id, state as status, requester_id, prompt, result_payload, error_details,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') as created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') as updated_at
  from task_state;
CREATE INDEX work_ready on work (queue, priority, due_at, task_id) where stage = 1;
COMMIT;
