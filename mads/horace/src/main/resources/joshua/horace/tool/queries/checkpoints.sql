-- The marked checkpoints of a project.
-- argument project name = default: whose
-- argument limit number = 50: how many
-- none: No checkpoint is marked.
-- one: {id}: {status}, {decision}.
-- many: {rows} checkpoints.
select id, status, level, author, at, decision
from checkpoint
where project = :project
order by at
limit :limit
