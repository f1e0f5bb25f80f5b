-- The thoughts of a train of thought, the newest first.
-- argument session text: of which
-- argument limit number = 50: how many
-- newest first
-- none: There is no such train of thought.
-- one: Thought {number} by {author} at {at}.
-- many: {rows} thoughts; the last, {number}, is by {author}, at {at}.
select number, at, author, type, coalesce(branch, 'main') as branch, revises, thought
from thought
where session = :session
order by number desc
limit :limit
