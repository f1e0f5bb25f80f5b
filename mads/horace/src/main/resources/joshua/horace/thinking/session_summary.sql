with findings as (
  select 1 as kind, number as nth, substr(thought, length('CONCLUSION: ') + 1) as text
  from thought where session = :ask ->> 'id' and type = 'conclusion'
  union all
  select 2, rowid, '[' || id || '] ' || conclusion
  from branch where session = :ask ->> 'id' and conclusion is not null
  union all
  select 3, number, '[' || (select group_concat(value, ', ') from json_each(tags)) || '] '
    || substr(thought, 1, 100)
  from thought_json
  where session = :ask ->> 'id' and tags <> '[]' and type not in ('conclusion', 'branch')
), lines as (
  select * from findings where kind < 3
  union all
  select 4, 0, 'Session "' || name || '": ' || thoughts || ' thoughts on main and '
    || (select count(*) from branch where session = s.id) || ' branches, ' || status || '.'
  from session s where id = :ask ->> 'id'
  union all
  select 5, rowid, 'Branch "' || id || '": ' || (select count(*) from thought
    where session = b.session and branch = b.id) || ' thoughts, ' || status || '.'
  from branch b where session = :ask ->> 'id'
), whole as (
  select group_concat(text, char(10) order by kind, nth) as text,
    coalesce(:ask ->> 'maxLength', 2000) as most
  from lines
)
select json_object('sessionId', id, 'name', name,
  'summary', iif(length(text) <= most, text, substr(text, 1, most - 1) || '…'),
  'thoughtCount', thoughts, 'branchCount', (select count(*) from branch where session = session.id),
  'keyFindings', json((select json_group_array(text order by kind, nth) from findings)))
from session, whole
where id = :ask ->> 'id'
