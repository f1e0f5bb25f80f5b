-- The trains of thought of a project, that which changed last first.
-- argument project name = default: whose
-- argument status active|complete|archived: only such
-- argument limit number = 50: how many
-- newest first
-- none: There is no train of thought.
-- one: {name}, {thoughts thought}, by {author}.
-- many: {rows} trains of thought; the last, by {author}, at {updated_at}: {name}.
select id as session, updated_at, created_by as author, status, thoughts,
  (select count(*) from branch where session = session.id) as branches, name
from session
where project = :project and (:status is null or status = :status)
order by session.updated_at desc
limit :limit
