create table checkpoint (
  project text not null,
  id text not null,
  level text not null,
  status text not null,
  decision text not null,
  rationale text,
  author text not null,
  at integer not null,
  primary key (project, id)
) strict, without rowid;

create table decision (
  seq integer primary key autoincrement,
  project text not null,
  decision_id text not null,
  version integer not null,
  checkpoint_id text,
  selected text not null,
  rationale text,
  alternatives text, -- JSON
  metadata text, -- JSON
  supersedes text,
  superseded_by text,
  author text not null,
  at integer not null,
  unique (project, decision_id)
) strict;

create index decision_of_checkpoint on decision (project, checkpoint_id);
