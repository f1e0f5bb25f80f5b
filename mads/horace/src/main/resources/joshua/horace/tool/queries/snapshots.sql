-- The kept snapshots of a project, the newest first.
-- argument project name = default: whose
-- argument limit number = 50: how many
-- newest first
-- none: There is no snapshot.
-- one: Snapshot {snapshot} by {author} at {at}.
-- many: {rows} snapshots; the last, {snapshot}, is by {author}, at {at}.
select id as snapshot, author, at, lower(reason) as reason, label
from snapshot
where project = :project
order by id desc
limit :limit
