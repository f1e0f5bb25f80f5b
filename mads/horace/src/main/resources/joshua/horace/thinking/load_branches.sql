insert into branch
select :ask ->> 'id', key, coalesce(cast(value ->> 'originThought' as integer), 0),
  iif(value ->> 'status' in ('closed', 'merged'), value ->> 'status', 'active'),
  cast(value ->> 'conclusion' as text), cast(value ->> 'strategy' as text),
  cast(value ->> 'mergeThoughtNumber' as integer),
  coalesce(cast(value ->> 'author' as text), :ask ->> 'author'),
  coalesce(cast(value ->> 'createdAt' as integer), 0), cast(value ->> 'closedAt' as integer),
  cast(value ->> 'mergedAt' as integer)
from json_each(:ask, '$.train.branches')
order by id
