update project
set decisions = max(decisions,
  (select cast(substr(decision_id, 5) as integer) from decision where seq = last_insert_rowid()))
where id = ?
