create table session (
  id text primary key,
  project text not null references project (id),
  name text not null,
  description text,
  status text not null, -- active, complete or archived
  active_branch text, -- null for main
  thoughts integer not null,
  created_by text not null,
  created_at integer not null,
  updated_at integer not null
) strict;

create index session_of_project on session (project, updated_at);

create table thought (
  session text not null references session (id),
  number integer not null,
  thought text not null,
  type text not null, -- thought, revision, branch, summary or conclusion
  branch text,
  revises integer,
  branch_from integer,
  author text not null,
  at integer not null,
  primary key (session, number)
) strict, without rowid;

create table branch (
  session text not null references session (id),
  id text not null,
  origin integer not null,
  status text not null, -- active, closed or merged
  conclusion text,
  strategy text,
  merge_thought integer,
  author text not null,
  created_at integer not null,
  closed_at integer,
  merged_at integer,
  primary key (session, id)
) strict; -- their rowids are the order in which they began

create table tag (
  session text not null,
  number integer not null,
  tag text not null,
  primary key (session, number, tag),
  foreign key (session, number) references thought (session, number)
) strict, without rowid;

create table seat (
  caller text primary key,
  session text not null references session (id),
  branch text,
  at integer not null
) strict, without rowid;

create view session_json as
select id, project, status, updated_at, json_patch('{}', json_object('id', id, 'name', name,
  'description', description, 'status', status, 'activeBranch', active_branch,
  'thoughtCount', thoughts,
  'branchCount', (select count(*) from branch where session = s.id), 'createdBy', created_by,
  'createdAt', created_at, 'updatedAt', updated_at)) as json
from session s;

create view thought_json as
select session, number, type, coalesce(branch, 'main') as branch, thought,
  (select json_group_array(tag) from tag where session = t.session and number = t.number) as tags,
  json_patch('{}', json_object('thoughtNumber', number, 'thought', thought, 'type', type,
    'isRevision', json(iif(revises is null, 'false', 'true')), 'revisesThought', revises,
    'branchId', branch, 'branchFromThought', branch_from,
    'tags', json((select json_group_array(tag) from tag
      where session = t.session and number = t.number)),
    'author', author, 'at', at)) as json
from thought t;

create view branch_json as
select session, id, rowid as nth, json_patch('{}', json_object('branchId', id,
  'originThought', origin, 'status', status, 'conclusion', conclusion, 'strategy', strategy,
  'mergeThoughtNumber', merge_thought, 'author', author, 'createdAt', created_at,
  'closedAt', closed_at, 'mergedAt', merged_at)) as json
from branch;
