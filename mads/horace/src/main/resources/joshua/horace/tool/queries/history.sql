-- The kept versions of a document, the newest first.
-- argument project name = default: whose
-- argument path text: of which document
-- argument before text: only versions before this
-- argument limit number = 50: how many
-- newest first
-- none: There is no such document.
-- one: Version {version} by {author} at {at}.
-- many: {rows} versions; the last, {version}, is by {author}, at {at}.
select version, action, author, at, note, bytes, change
from document_version
where project = :project and path = :path and (:before is null or version < :before)
order by version desc
limit :limit
