BEGIN TRANSACTION;
CREATE TABLE connection_events (
  event_id integer primary key,
  at bigint not null,
  mad_id text not null,
  status_before text,                 -- null for somebody new
  status text not null,
  cause text not null,
  why text not null
);
INSERT INTO "connection_events" VALUES(1,1795867470641,'rogers',NULL,'HEALTHY','beats','healthy: heard within 30 s, beats every 10 s');
INSERT INTO "connection_events" VALUES(2,1795867471639,'fiedler',NULL,'HEALTHY','beats','healthy: heard within 30 s, beats every 10 s');
INSERT INTO "connection_events" VALUES(3,1795867471639,'grace',NULL,'HEALTHY','beats','healthy: heard within 30 s, beats every 10 s');
INSERT INTO "connection_events" VALUES(4,1795867510766,'fiedler','HEALTHY','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.705Z (stopped)');
INSERT INTO "connection_events" VALUES(5,1795867510766,'grace','HEALTHY','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.667Z (stopped)');
INSERT INTO "connection_events" VALUES(6,1795867510766,'rogers','HEALTHY','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.762Z (stopped)');
CREATE TABLE connections (
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
INSERT INTO "connections" VALUES('fiedler','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.705Z (stopped)','2026-11-28T12:04:31.639Z','2026-11-28T12:05:10.705Z',1795867510766,1,1795867510705,'stopped',NULL,10,'0.2.0',NULL,NULL,'[]');
INSERT INTO "connections" VALUES('grace','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.667Z (stopped)','2026-11-28T12:04:31.639Z','2026-11-28T12:05:10.667Z',1795867510766,1,1795867510667,'stopped',NULL,10,'0.2.0',NULL,NULL,'[]');
INSERT INTO "connections" VALUES('rogers','DISCONNECTED','left','disconnected: left at 2026-11-28T12:05:10.762Z (stopped)','2026-11-28T12:04:30.641Z','2026-11-28T12:05:10.762Z',1795867510766,1,1795867510762,'stopped',NULL,10,'0.2.0',NULL,NULL,'[]');
CREATE TABLE "frame" (
  task_id text not null,
  attempt integer not null,
  sequence integer not null,
  model text,
  token text not null,
  last boolean not null,
  primary key (task_id, attempt, sequence)
);
INSERT INTO "frame" VALUES('01a2220b-69ab-7000-82dc-646f387660b0',1,0,NULL,'Nobody received 1 message; no client missed any.
  what: unheard
  subject: mad.topic.news
  messages: 1
  detail: nobody follows it
  last_at: 2026-11-28T12:04:43.816Z
What was sent to somebody known who was away is left out: its sender was told.',1);
CREATE TABLE incidents (
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
INSERT INTO "incidents" VALUES(1,1795867483816,1795867483816,'unheard','mad.topic.news',1,'nobody follows it',1,NULL);
CREATE TABLE not_seen (
  span_id integer primary key,
  since_at bigint not null,
  until_at bigint,                    -- null while it lasts
  reason text not null
);
INSERT INTO "not_seen" VALUES(1,1795867480000,1795867483000,'Rogers was stopped');
CREATE TABLE schema_version (
  number integer primary key, name text not null, applied_at bigint not null);
INSERT INTO "schema_version" VALUES(1,'0001-traffic.sql',1795867467910);
INSERT INTO "schema_version" VALUES(2,'0001-registry.sql',1795867467912);
INSERT INTO "schema_version" VALUES(3,'0001-incidents.sql',1795867467913);
INSERT INTO "schema_version" VALUES(4,'0001-tasks.sql',1795867467913);
INSERT INTO "schema_version" VALUES(5,'0002-fewer-pages.sql',1795867467916);
CREATE TABLE subscriptions (
  relay text not null,
  pattern text not null,
  clients integer not null,
  at bigint not null,
  primary key (relay, pattern)
) without rowid;
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
INSERT INTO "task_record" VALUES('01a2220b-69ab-7000-82dc-646f387660b0','COMPLETED','admin','QUESTION','was anything lost?','{"command":"losses"}','{"text":"Nobody received 1 message; no client missed any.\n  what: unheard\n  subject: mad.topic.news\n  messages: 1\n  detail: nobody follows it\n  last_at: 2026-11-28T12:04:43.816Z\nWhat was sent to somebody known who was away is left out: its sender was told.","stage":"dtr","read_as":"losses","model":null,"usage":null,"truncated":false,"evidence":[{"query":"losses","arguments":{},"rows":[{"what":"unheard","subject":"mad.topic.news","messages":1,"detail":"nobody follows it","last_at":"2026-11-28T12:04:43.816Z"}]}]}',NULL,1795867503019,1795867503019,1795867503040,1,NULL,NULL,NULL,'01a2220b-69ab-7001-a0e2-168023bdc131','01a2220b-69a7-7000-a5a2-f46e31a507f9',NULL,NULL,NULL);
CREATE TABLE traffic (
  hour_at bigint not null,            -- the beginning of the hour, in UTC
  sender_id text not null,            -- ? where a message names none, * beyond the limit
  channel text not null,              -- or all of a kind: mad.stream.*
  topic_pattern text not null,        -- the kind: mad.direct, mad.topic …
  messages bigint not null,
  bytes bigint not null,
  primary key (hour_at, sender_id, channel)
) without rowid;
INSERT INTO "traffic" VALUES(1795867200000,'fiedler','mad.direct.admin','mad.direct',3,3711);
INSERT INTO "traffic" VALUES(1795867200000,'fiedler','mad.stream.*','mad.stream',3,2379);
INSERT INTO "traffic" VALUES(1795867200000,'fiedler','mad.system.events','mad.system',1,881);
INSERT INTO "traffic" VALUES(1795867200000,'fiedler','mad.system.heartbeat','mad.system',4,1860);
INSERT INTO "traffic" VALUES(1795867200000,'fiedler','mad.system.presence','mad.system',2,751);
INSERT INTO "traffic" VALUES(1795867200000,'grace','mad.direct.nobody','mad.direct',1,303);
INSERT INTO "traffic" VALUES(1795867200000,'grace','mad.system.heartbeat','mad.system',4,2028);
INSERT INTO "traffic" VALUES(1795867200000,'grace','mad.system.presence','mad.system',2,747);
INSERT INTO "traffic" VALUES(1795867200000,'grace','mad.system.relay','mad.system',4,1784);
INSERT INTO "traffic" VALUES(1795867200000,'grace','mad.topic.news','mad.topic',1,299);
INSERT INTO "traffic" VALUES(1795867200000,'rogers','mad.direct.admin','mad.direct',1,974);
INSERT INTO "traffic" VALUES(1795867200000,'rogers','mad.stream.*','mad.stream',1,678);
INSERT INTO "traffic" VALUES(1795867200000,'rogers','mad.system.events','mad.system',4,1763);
INSERT INTO "traffic" VALUES(1795867200000,'rogers','mad.system.heartbeat','mad.system',5,2540);
INSERT INTO "traffic" VALUES(1795867200000,'rogers','mad.system.presence','mad.system',2,749);
CREATE TABLE watermark (
  id integer primary key check (id = 1),
  counted_since_at bigint not null,   -- what was published before isn't counted
  seen_until_at bigint not null,      -- and what was published after isn't, yet
  per_second real not null            -- messages, in the ten seconds before
);
INSERT INTO "watermark" VALUES(1,1795867468556,1795867510766,0.8);
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
CREATE VIEW hourly_metrics as
  select strftime('%Y-%m-%dT%H:%M:%fZ', hour_at / 1000.0, 'unixepoch') as hour_timestamp,
    sender_id, topic_pattern, sum(messages) as message_count
  from traffic group by hour_at, sender_id, topic_pattern;
CREATE INDEX connection_events_at on connection_events (at);
CREATE INDEX connection_events_mad on connection_events (mad_id, at);
CREATE INDEX incidents_alike on incidents (kind, subject, last_at);
CREATE INDEX incidents_at on incidents (at);
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
