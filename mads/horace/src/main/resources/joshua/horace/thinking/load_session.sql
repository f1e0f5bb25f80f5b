insert into session
select :ask ->> 'id', :ask ->> 'project',
  substr(coalesce(:ask ->> '$.train.session.name', 'Imported ' || (:ask ->> '$.train.exportedAt'),
    'Imported'), 1, 200),
  :ask ->> '$.train.session.description',
  iif(:ask ->> '$.train.isComplete', 'complete', 'active'),
  :ask ->> '$.train.session.activeBranch',
  json_array_length(:ask, '$.train.thoughtHistory'), :ask ->> 'author', :ask ->> 'at', :ask ->> 'at'
