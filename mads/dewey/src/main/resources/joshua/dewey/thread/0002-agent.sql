-- Agents that have registered for broadcasts.
create table agent (
  agent_id text primary key,
  metadata text not null,             -- an object
  registered_at bigint not null
) without rowid;

create index thread_title on thread (title);
