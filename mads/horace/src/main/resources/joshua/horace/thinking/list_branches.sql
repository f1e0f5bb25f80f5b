with own as (
  select b.rowid as nth, id, origin, status, count(number) as thoughts,
    coalesce(max(number), 0) as last,
    coalesce(merged_at, closed_at, max(t.at), created_at) as updated_at
  from branch b left join thought t on t.session = b.session and t.branch = b.id
  where b.session = :ask ->> 'session'
  group by b.rowid
)
select json_object(
  'branches', json_group_array(json_object('id', id, 'originThought', origin,
    'thoughtCount', thoughts, 'status', status, 'lastThought', last, 'lastUpdated', updated_at)
    order by nth),
  'totalBranches', count(*))
from own
