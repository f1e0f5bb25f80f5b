with asked as (select * from thought_json
  where session = :ask ->> 'session'
    and (:ask ->> 'branchId' is null or branch = :ask ->> 'branchId'))
select json_object(
  'exportedAt', :ask ->> 'now',
  'session', json_object('id', id, 'name', name, 'description', description, 'status', status,
    'activeBranch', active_branch),
  'thoughtHistory', json((select json_group_array(json(json) order by number) from asked)),
  'branches', json((
    select json_group_object(id, json_set(json, '$.thoughts', json((
        select json_group_array(json(json) order by number) from asked where branch = b.id)))
      order by nth)
    from branch_json b
    where session = session.id and (:ask ->> 'branchId' is null or b.id = :ask ->> 'branchId'))),
  'isComplete', json(iif(status = 'complete', 'true', 'false')))
from session
where id = :ask ->> 'session'
  and (coalesce(:ask ->> 'branchId', 'main') = 'main'
    or exists (select * from branch where session = session.id and id = :ask ->> 'branchId'))
