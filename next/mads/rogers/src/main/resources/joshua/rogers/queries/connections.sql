-- Who is on the bus, or was there at a time; in which state, since when, and why.
-- argument participant name: a single one
-- argument status HEALTHY|CONNECTED|STALE|DISCONNECTED|PRESENT: PRESENT is all but DISCONNECTED
-- argument at time: as it was then
-- argument limit number = 200: how many
-- none: Nobody like that is known.
-- one: {participant} is {why}.
with before as (
  select mad_id, status, why, at as since_at, max(event_id) from connection_events
  where at <= :at group by mad_id),
after as (
  select mad_id, status_before as status, min(event_id) from connection_events
  where at > :at and mad_id not in (select mad_id from before) group by mad_id),
known as (
  select mad_id, status, why, since_at, last_heartbeat, connected_at from connections
  where :at is null
  union all
  select mad_id, status, why, since_at, null, null from before
  union all
  select mad_id, status, 'as it was before its first change that is kept', null, null, null
  from after where status is not null
  union all
  select mad_id, status, why, since_at, last_heartbeat, connected_at from connections
  where since_at <= :at and mad_id not in (select mad_id from before)
    and mad_id not in (select mad_id from after))
select mad_id as participant, status, since_at, why, last_heartbeat as last_heard_at, connected_at
from known
where (:participant is null or mad_id = :participant)
  and (:status is null or status = :status
    or (:status = 'PRESENT' and status <> 'DISCONNECTED'))
order by case status when 'HEALTHY' then 0 when 'CONNECTED' then 1 when 'STALE' then 2 else 3 end,
  mad_id
limit :limit
-- sentence
select printf('%d participants: %s.', sum(number), group_concat(number || ' ' || status, ', '))
from (
  select value ->> 'status' as status, count(*) as number from json_each(:rows)
  group by 1 order by min(id))
