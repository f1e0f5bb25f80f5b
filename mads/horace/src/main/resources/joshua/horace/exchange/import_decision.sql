with given as (
  select :ask ->> 'project' as project, coalesce(:ask ->> 'decision_id', '') as decision_id,
    coalesce(:ask ->> 'selected', '') as selected,
    iif(json_type(:ask, '$.metadata') = 'object', :ask -> 'metadata', null) as metadata,
    iif(json_type(:ask, '$.alternatives_considered') = 'array',
      :ask -> 'alternatives_considered', null) as alternatives
), placed as ( -- by another id if there is another one by its own
  select given.*, (select decisions + 1 from project where id = given.project) as next,
    exists (select * from decision where (project, decision_id)
      = (given.project, given.decision_id)) as taken
  from given
)
insert into decision (project, decision_id, version, checkpoint_id, selected, rationale,
  alternatives, metadata, supersedes, superseded_by, author, at)
select project, iif(taken, printf('DEV_%03d', next), decision_id),
  cast(coalesce(:ask ->> 'version', 1) as integer), :ask ->> 'checkpoint_id', selected,
  :ask ->> 'rationale', alternatives,
  iif(taken, json_set(coalesce(metadata, '{}'), '$.imported_as', decision_id), metadata),
  :ask ->> 'supersedes', :ask ->> 'superseded_by', :ask ->> 'author', :ask ->> 'at'
from placed
returning decision_id
