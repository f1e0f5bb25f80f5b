-- The changes of a project, the newest first.
-- argument project name = default: whose
-- argument since text: only changes after this one
-- argument limit number = 50: how many
-- newest first
-- none: Nothing has changed.
-- one: {author}: {action} of {subject} at {at}.
-- many: {rows} changes; the last by {author} at {at}: {action} of {subject}.
select seq as change, at, author, action, kind, subject, version, note
from change
where project = :project and (:since is null or seq > :since)
order by seq desc
limit :limit
