with own as (
  select number, json, row_number() over last as nth, sum(octet_length(json)) over last as bytes
  from thought_json
  where session = :ask ->> 'session' and branch = :ask ->> 'branchId'
  window last as (order by number desc)
)
select json_object('branch', json_set(json,
  '$.thoughtCount', (select count(*) from own),
  '$.thoughts', json((select json_group_array(json(json) order by number) from own
    where nth = 1 or bytes <= :ask ->> 'room'))))
from branch_json
where session = :ask ->> 'session' and id = :ask ->> 'branchId'
