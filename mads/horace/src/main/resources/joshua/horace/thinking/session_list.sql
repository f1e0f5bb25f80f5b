with found as (
  select json, row_number() over newest as nth, sum(octet_length(json)) over newest as bytes
  from session_json
  where project = :ask ->> 'project'
    and (:ask ->> 'status' is null or status = lower(:ask ->> 'status'))
  window newest as (order by updated_at desc, id)
)
select json_object(
  'sessions', json_group_array(json(json) order by nth)
    filter (where nth <= coalesce(:ask ->> 'limit', 20) and (nth = 1 or bytes <= :ask ->> 'room')),
  'totalCount', count(*),
  'currentSessionId', (select session from seat where caller = :ask ->> 'seat'))
from found
