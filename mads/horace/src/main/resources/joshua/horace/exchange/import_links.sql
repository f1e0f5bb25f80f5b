-- Decisions that have other ids here, which ?3 has by those given, name each other by these.
update decision set
  supersedes = coalesce(json_extract(?3, '$.' || supersedes), supersedes),
  superseded_by = coalesce(json_extract(?3, '$.' || superseded_by), superseded_by)
where project = ?1 and seq > ?2
