-- The decisions of a project, the oldest first.
-- argument project name = default: whose
-- argument checkpoint_id text: only of this checkpoint
-- argument agent text: only by this author, or with this agent in their metadata
-- argument after text: only after this time
-- argument before text: only before this time
-- argument query text: only with this text
-- argument all text: true: those that were amended, too
-- argument after_id text: only behind this one
-- argument limit number = 50: how many
-- none: There is no such decision.
-- one: {decision_id}, by {author}: {selected}.
-- many: {rows} decisions.
select decision_id, checkpoint_id, selected, rationale, alternatives, metadata, version, supersedes,
  superseded_by, author, at, total
from (
  select seq, decision_id, checkpoint_id, selected, rationale, alternatives, metadata, version,
    supersedes, superseded_by, author, at, count(*) over () as total
  from decision
  where project = :project
    and (:checkpoint_id is null or checkpoint_id = :checkpoint_id)
    and (:agent is null or author = :agent or metadata ->> '$.agent' = :agent)
    and (:after is null or at > unixepoch(:after, 'subsec') * 1000)
    and (:before is null or at < unixepoch(:before, 'subsec') * 1000)
    and (:query is null or instr(fold(selected || ' ' || coalesce(rationale, '')), fold(:query)) > 0)
    and (superseded_by is null or :all = 'true'))
where :after_id is null
  or seq > (select seq from decision where project = :project and decision_id = :after_id)
order by seq
limit :limit
