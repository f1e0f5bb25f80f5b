-- The projects, that which changed last first.
-- argument after text: only those that are listed behind this one
-- argument limit number = 50: how many
-- newest first
-- none: There is no project.
-- one: {project}, {documents document}.
-- many: {rows} projects; {project} changed last, at {changed_at}.
with listed as (
  select id as project, name, template, created_by, created_at,
    (select count(*) from document d where d.project = p.id and deleted = 0) as documents,
    coalesce((select at from change c where c.project = p.id order by seq desc limit 1), created_at)
      as changed_at
  from project p)
select l.* from listed l left join listed a on a.project = :after
where :after is null or l.changed_at < a.changed_at
  or (l.changed_at = a.changed_at and l.project > a.project)
order by l.changed_at desc, l.project
limit :limit
