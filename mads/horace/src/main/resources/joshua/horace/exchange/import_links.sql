-- Decisions that have other ids here name each other by these.
update decision set
  supersedes = coalesce((select decision_id from decision it where it.project = decision.project
    and it.metadata ->> '$.imported_as' = decision.supersedes order by seq desc), supersedes),
  superseded_by = coalesce((select decision_id from decision it where it.project = decision.project
    and it.metadata ->> '$.imported_as' = decision.superseded_by order by seq desc), superseded_by)
where project = ? and seq > ?
