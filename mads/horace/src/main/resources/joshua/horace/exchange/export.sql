select json_object(
  'change', (select coalesce(max(seq), 0) from change
    where project = ?1 and kind not in ('lock', 'thinking', 'snapshot')),
  'decisions', json((
    select json_group_array(
      json(iif(metadata is null, plain, json_set(plain, '$.metadata', json(metadata)))) order by seq)
    from (
      select seq, metadata, json_patch('{}', json_object( -- without those that are null
        'decision_id', decision_id, 'checkpoint_id', checkpoint_id, 'selected', selected,
        'rationale', rationale, 'alternatives_considered', json(alternatives),
        'version', version, 'supersedes', supersedes, 'superseded_by', superseded_by,
        'author', author,
        'timestamp', strftime('%FT%H:%M:%fZ', at / 1000.0, 'unixepoch'))) as plain
      from decision where project = ?1))),
  'checkpoints', json((
    select json_group_array(json_patch('{}', json_object(
      'checkpoint_id', id, 'decision', decision, 'rationale', rationale, 'level', level,
      'status', lower(status), 'author', author,
      'completed_at', strftime('%FT%H:%M:%fZ', at / 1000.0, 'unixepoch'))) order by at, id)
    from checkpoint where project = ?1)),
  'documents', json((
    select json_group_object(path, json_object('format', lower(format), 'content', content)
      order by path)
    from document join document_version using (project, path, version)
    where project = ?1 and deleted = 0)))
