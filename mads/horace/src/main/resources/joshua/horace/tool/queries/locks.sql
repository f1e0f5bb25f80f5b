-- The documents that somebody holds a lock on.
-- argument project name = default: whose
-- argument limit number = 50: how many
-- none: Nobody holds a lock.
-- one: {holder} holds {path} since {since_at}.
-- many: {rows} locks; the oldest is on {path}, by {holder}, since {since_at}.
select path, holder, fence, since as since_at, hold_ms, note
from document_lock
where project = :project and ended is null
order by since
limit :limit
