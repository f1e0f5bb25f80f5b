with searched as (
  select * from thought_json
  where session = :ask ->> 'session'
    and (:ask ->> 'branchId' is null or branch = :ask ->> 'branchId')
), found as (
  select number, json_remove(json, '$.type', '$.at', '$.branchFromThought') as json,
    row_number() over first as nth, sum(octet_length(json)) over first as bytes
  from searched
  where (:ask ->> 'query' is null or instr(fold(thought), fold(:ask ->> 'query')) > 0)
    and not exists (select * from json_each(:ask, '$.tags') wanted
      where wanted.value is not null
        and fold(trim(wanted.value)) not in (select value from json_each(searched.tags)))
  window first as (order by number)
)
select json_object(
  'matches', json((select json_group_array(json(json) order by number) from found
    where nth = 1 or bytes <= :ask ->> 'room')),
  'totalMatches', (select count(*) from found),
  'searchedThoughts', (select count(*) from searched))
from session
where id = :ask ->> 'session'
  and (coalesce(:ask ->> 'branchId', 'main') = 'main'
    or exists (select * from branch where session = session.id and id = :ask ->> 'branchId'))
