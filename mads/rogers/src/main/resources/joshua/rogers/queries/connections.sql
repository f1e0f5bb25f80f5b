-- Who is on the bus, or was there at a time; in which state, since when, and why.
-- argument participant name: a single one
-- argument status HEALTHY|CONNECTED|STALE|DISCONNECTED|AWAY|PRESENT: AWAY has a queue still; PRESENT is all but DISCONNECTED
-- argument at time: as it was then
-- argument limit number = 200: how many
-- words status: healthy = HEALTHY; stale = STALE; disconnected offline gone = DISCONNECTED; away = AWAY
-- example: who is on the bus?
-- phrasing: who|whos|anyone|anybody + online|connected|conected|around|here|bus|present|out|there|up|on / is participants still right rn pls was were then back / status=PRESENT
-- phrasing: who|whos + missing / is participants / status=DISCONNECTED
-- phrasing: participants + online|present|here|around / is bus still right rn now connected / status=PRESENT
-- phrasing: who|whos|anyone|anybody|everyone|everybody|participants|participant|ones + online|connected|conected|around|alive|here|bus|present|out|there|up|on / is participants still right rn pls anybody available was were then back
-- phrasing: <status> + <asking>|anyone|anybody|participants|participant|whos|ones|only / participants participant bus state since why ones is whos rn pls only number count that gone
-- phrasing: participants|roster|headcount + <asking>|number|count|headcount|state|states|status|roster|participants / bus state states status number count is online connected pls participants total
-- phrasing: <requester> + alive|online|there|state|status|up|connected|conected|around|here|healthy|why|still|heard|hear|seen|present|doing|available|ok|okay|running|dead|down|who|whos|listening / is still bus since why state its right rn when from last heard hear long connected present participant at reason alive back seen then dead healthy
-- phrasing: <requester> + when + say|said|speak|spoke|talk|talked / did last time anything something
-- phrasing: <at> + who|participants|anyone|connected|online / bus there up here connected online participants was were around is present snapshot
-- none: There is nobody like that.
with before as (
  select mad_id, status, cause, why, at as since_at, max(event_id) from connection_events
  where at <= :at group by mad_id),
after as (
  select mad_id, status_before as status, min(event_id) from connection_events
  where at > :at and mad_id not in (select mad_id from before) group by mad_id),
known as (
  select mad_id, status, cause, why, since_at, last_heartbeat, connected_at from connections
  where :at is null
  union all
  select mad_id, status, cause, why, since_at, null, null from before
  union all
  select mad_id, status, null, 'as it was before its first change that is kept', null, null, null
  from after where status is not null
  union all
  select mad_id, status, cause, why, since_at, last_heartbeat, connected_at from connections
  where since_at <= :at and mad_id not in (select mad_id from before)
    and mad_id not in (select mad_id from after))
select mad_id as participant, status, cause, since_at, why, last_heartbeat as last_heard_at, connected_at
from known
where (:participant is null or mad_id = :participant)
  and (:status is null or status = :status
    or (:status = 'AWAY' and cause = 'away')
    or (:status = 'PRESENT' and status <> 'DISCONNECTED'))
  -- who left long ago is shown if it is asked for
  and (status <> 'DISCONNECTED' or cause = 'away' or since_at > (unixepoch() - 3600) * 1000
    or :participant is not null or :status is not null or :at is not null)
order by case status when 'HEALTHY' then 0 when 'CONNECTED' then 1 when 'STALE' then 2 else 3 end,
  mad_id
limit :limit
-- sentence
select case when number = 1 then printf('%s is %s%s.', first ->> 'participant', first ->> 'why',
    '; last heard of at ' || (first ->> 'last_heard_at'))
  else printf('%d participants: %s.', number, states) end
from (
  select sum(number) as number, group_concat(number || ' ' || status, ', ') as states,
    :rows -> '$[0]' as first
  from (
    select iif(value ->> 'cause' = 'away', 'AWAY', value ->> 'status') as status,
      count(*) as number from json_each(:rows)
    group by 1 order by min(id)))
