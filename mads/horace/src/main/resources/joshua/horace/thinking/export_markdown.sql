with texts as (
  select branch, group_concat('### Thought ' || number
      || coalesce(' (revises #' || (json ->> 'revisesThought') || ')', '')
      || iif(tags = '[]', '', ' [' || (select group_concat(value, ', ') from json_each(tags)) || ']')
      || char(10) || thought || char(10, 10), '' order by number) as text
  from thought_json
  where session = :ask ->> 'session'
    and (:ask ->> 'branchId' is null or branch = :ask ->> 'branchId')
  group by branch
), parts as (
  select 0 as nth, '## Main Thread' || char(10, 10) || text as part
  from texts where branch = 'main'
  union all
  select b.rowid, char(10) || '---' || char(10, 10) || '## Branch: ' || id || char(10)
    || '*Branched from thought ' || origin || '*' || char(10, 10) || coalesce(text, '')
    || iif(status = 'merged', char(10) || '*Branch merged*' || char(10), '')
    || iif(status = 'closed' and conclusion is not null,
      char(10) || '*Branch closed with conclusion: ' || conclusion || '*' || char(10), '')
  from branch b left join texts on branch = id
  where session = :ask ->> 'session'
    and (:ask ->> 'branchId' is null or id = :ask ->> 'branchId')
)
select json_object('content', '# Thinking Chain' || char(10, 10)
  || coalesce((select group_concat(part, '' order by nth) from parts), ''))
from session
where id = :ask ->> 'session'
  and (coalesce(:ask ->> 'branchId', 'main') = 'main'
    or exists (select * from branch where session = session.id and id = :ask ->> 'branchId'))
