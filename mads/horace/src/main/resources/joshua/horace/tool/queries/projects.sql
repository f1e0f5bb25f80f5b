-- The projects, that which changed last first.
-- argument limit number = 50: how many
-- newest first
-- none: There is no project.
-- one: {project}, {documents document}.
-- many: {rows} projects; {project} changed last, at {changed_at}.
select id as project, name, template, created_by, created_at,
  (select count(*) from document d where d.project = p.id and deleted = 0) as documents,
  coalesce((select at from change c where c.project = p.id order by seq desc limit 1), created_at)
    as changed_at
from project p
order by changed_at desc, id
limit :limit
