with found as (
  select number, json_remove(json, '$.type', '$.at', '$.branchFromThought') as json,
    row_number() over last as nth, sum(octet_length(json)) over last as bytes
  from thought_json
  where session = :ask ->> 'session'
    and (:ask ->> 'branchId' is null or branch = :ask ->> 'branchId')
  window last as (order by number desc)
), shown as (
  select * from found
  where nth <= coalesce(:ask ->> 'limit', 10000) and (nth = 1 or bytes <= :ask ->> 'room')
)
select json_object(
  'thoughts', json((select json_group_array(json(json) order by number) from shown)),
  'totalCount', (select count(*) from found),
  'shown', (select count(*) from shown),
  'isComplete', json(iif(status = 'complete', 'true', 'false')))
from session
where id = :ask ->> 'session'
  and (coalesce(:ask ->> 'branchId', 'main') = 'main'
    or exists (select * from branch where session = session.id and id = :ask ->> 'branchId'))
