select json_object('name', name, 'description', description, 'sessionStatus', status,
  'thoughtCount', thoughts, 'branchCount', (select count(*) from branch where session = session.id),
  'isComplete', json(iif(status = 'complete', 'true', 'false')))
from session
where id = :ask ->> 'id'
