insert into thought
select :ask ->> 'id', key + 1, value ->> 'thought',
  coalesce(cast(value ->> 'type' as text), case
    when value ->> 'thought' like 'CONCLUSION: %' then 'conclusion'
    when value ->> 'thought' like 'BRANCH START: %' then 'branch'
    when value ->> 'revisesThought' is not null then 'revision'
    else 'thought' end),
  cast(value ->> 'branchId' as text), cast(value ->> 'revisesThought' as integer),
  cast(value ->> 'branchFromThought' as integer),
  coalesce(cast(value ->> 'author' as text), :ask ->> 'author'),
  coalesce(cast(value ->> 'at' as integer), :ask ->> 'at')
from json_each(:ask, '$.train.thoughtHistory')
order by key
