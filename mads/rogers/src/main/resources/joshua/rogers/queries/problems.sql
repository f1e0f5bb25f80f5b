-- Everything that isn't well; in the last hour, if no since is given.
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 50: how many
-- newest first
-- example: is anything wrong?
-- phrasing: problems|problem|wrong|issues|issue|errors|error|broken|trouble|unhealthy|amiss|broke + <asking>|any|there|is|anything|bus|today / own bus is anything with went going are broken well healthy ok okay has have were
-- phrasing: everything|all|bus + ok|okay|fine|alright|well|healthy / is are everything going bus on still
-- none: Nothing is known to be wrong.
-- one: One thing isn't well: {what} {subject}: {detail}.
-- many: {rows} things aren't well; the last: {what} {subject}: {detail}.
with span as (
  select coalesce(:since, until_at - 3600000) as since,
    coalesce(:until, 9223372036854775807) as until
  from watched),
found as (
  select 'silent' as what, mad_id as subject, null as messages, why as detail, since_at as last_at
  from connections, span
  where cause = 'silent' and has_beaten and since_at < until
    and (status = 'STALE' or since_at >= since)
  union all
  select kind, subject, messages, detail, last_at from incidents, span
  where is_problem and last_at >= since and at < until
  union all
  select p.what, p.mad_id, null, rtrim(p.detail, '.'), p.at
  from service_problems p join connections c on c.mad_id = p.mad_id, span
  where instr(c.instances, '"' || p.instance || '"') > 0 and p.at < until
  union all
  select 'not_seen', 'rogers', null, reason, since_at from not_seen, span
  where (until_at is null or until_at > since) and since_at < until
    and reason <> 'Rogers was stopped')
select what, subject, messages, detail, last_at from found
order by last_at desc, what, subject
limit :limit
