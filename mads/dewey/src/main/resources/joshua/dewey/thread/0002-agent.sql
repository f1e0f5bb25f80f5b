-- Agents that have registered for broadcasts; their names are the same in any case.
create table agent (
  agent_id text primary key collate nocase,
  metadata text not null,             -- an object
  registered_at bigint not null
) without rowid;
