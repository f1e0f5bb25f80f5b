-- The documents of a project, by their paths.
-- argument project name = default: whose
-- argument prefix text: only paths that begin with this
-- argument after text: only paths behind this
-- argument limit number = 50: how many
-- none: There is no such document.
-- one: {path}, version {version} by {author}.
-- many: {rows} documents.
select path, version, lower(format) as format, bytes, author, at, note
from document join document_version using (project, path, version)
where project = :project and deleted = 0
  and (:prefix is null or substr(path, 1, length(:prefix)) = :prefix)
  and (:after is null or path > :after)
order by path
limit :limit
