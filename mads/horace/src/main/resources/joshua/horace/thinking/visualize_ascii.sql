with lines as (
  select t.number,
    iif(t.number = (select min(number) from thought where session = b.session and branch = b.id),
      '+ branch ' || b.id || iif(b.status = 'active', '', ' (' || b.status || ')') || char(10), '')
    || iif(t.branch = 'main', '', '  ') || '#' || t.number
    || coalesce(' (revises #' || (t.json ->> 'revisesThought') || ')', '')
    || iif(:ask ->> 'showContent',
      ' ' || substr(replace(replace(t.thought, char(13), ''), char(10), ' '), 1, 40), '') as line
  from thought_json t left join branch b on b.session = t.session and b.id = t.branch
  where t.session = :ask ->> 'session'
)
select json_object('content', coalesce(group_concat(line, char(10) order by number),
  'No thoughts yet.'))
from lines
