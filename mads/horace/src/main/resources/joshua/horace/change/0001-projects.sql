create table project (
  id text primary key,
  name text not null,
  template text not null,
  decisions integer not null default 0,
  created_by text not null,
  created_at integer not null
) strict;

insert into project values ('default', 'default', 'empty', 0, 'horace', unixepoch() * 1000);

create table change (
  seq integer primary key autoincrement,
  project text not null,
  kind text not null,
  subject text not null,
  version integer,
  action text not null,
  author text not null,
  note text,
  correlation text not null,
  detail text, -- JSON
  at integer not null
) strict;

create index change_of_project on change (project, seq);

create table announced (
  store text not null, -- random, so that ids of events of two databases differ
  seq integer not null
) strict;

insert into announced select lower(hex(randomblob(16))), 0;
