-- Rows of some hundred characters: without a rowid, each would have a page of its own.
create table frame_with_rowid (
  task_id text not null,
  attempt integer not null,
  sequence integer not null,
  model text,
  token text not null,
  last boolean not null,
  primary key (task_id, attempt, sequence)
);
insert into frame_with_rowid select * from frame;
drop table frame;
alter table frame_with_rowid rename to frame;

-- Most tasks begin at once, so that they are never looked for.
drop index work_next;
create index work_ready on work (queue, priority, due_at, task_id) where stage = 1;
