create table document (
  project text not null references project (id),
  path text not null,
  version integer not null,
  deleted integer not null default 0,
  primary key (project, path)
) strict, without rowid;

create table document_version (
  project text not null,
  path text not null,
  version integer not null,
  action text not null,
  format text not null,
  bytes integer not null,
  author text not null,
  note text,
  change integer not null,
  at integer not null,
  content text not null,
  unique (project, path, version)
) strict;

create table document_lock (
  project text not null,
  path text not null,
  holder text not null,
  fence integer not null,
  note text,
  since integer not null,
  hold_ms integer not null,
  until_ms integer not null, -- on the clock of the process, which stands while it is suspended
  ended text, -- how: unlock or expire
  primary key (project, path)
) strict, without rowid;

create table snapshot (
  id integer primary key autoincrement,
  project text not null,
  label text,
  reason text not null,
  change integer not null,
  author text not null,
  at integer not null
) strict;
