-- How many tasks there were and failed, how long they took, and tokens used.
-- argument by none|requester|hour|error|model = none: what they are grouped by
-- argument status PENDING|RUNNING|STREAMING|COMPLETED|FAILED|UNFINISHED: how they stand
-- argument requester name: who asked for them
-- argument since time: not older than this
-- argument until time: older than this
-- argument limit number = 20: how many groups
-- example: how many tasks were there today?
-- phrasing: many|number|count|total|amount + task|tasks|job|jobs|<status>|errors|failures / task tasks job jobs own fail submitted submit asked ask requested came handled processed there
-- phrasing: average|median|p95|duration|durations|typical|typically|mean|usually|speed|fast|long + task|tasks|job|jobs|take|took|run|duration|durations|<requester> / own task tasks job jobs take takes took run time times usually average
-- phrasing: who|requester|requesters|participant|participants|users + most|busiest|many|own|task|tasks|job|jobs|submitted|asks|asked|uses|<asking> / task tasks job jobs own submitted submits asked asks asking participant requester sent work uses active / by=requester
-- phrasing: hour|hourly|activity|busiest / own per each by task tasks job jobs throughput / by=hour
-- phrasing: why|reason|reasons|cause|causes|common|often|frequent + fail|fails|failed|failing|failure|failures|error|errors|<status>|broke|wrong / own task tasks job jobs what go going happen main / by=error status=FAILED
-- phrasing: token|tokens|usage|cost|costs|spent|spend|consumed / used use uses own model models per each many total task tasks consumption / by=model
-- none: There are no such tasks; questions about services aren't counted.
-- one: {tasks task}, {failed} of them failed; the median took {median_s} s.
-- many: {rows} groups, the largest first.
with chosen as (
  select status, (ended_at - begun_at) / 1000.0 as seconds, tokens_in, tokens_out,
    case :by
      when 'requester' then requester_id
      when 'hour' then cast(created_at / 3600000 * 3600000 as text)
      when 'error' then coalesce(error_details ->> '$.message', '-')
      when 'model' then coalesce(model, '-')
      else 'all'
    end as name
  from task_state
  where kind = 'WORK'
    and (:requester is null or requester_id = :requester)
    and (:status is null or state = :status
      or (:status = 'UNFINISHED' and status = 'PENDING'))
    and (:since is null or created_at >= :since)
    and (:until is null or created_at < :until)),
placed as (
  select chosen.*, count(seconds) over (partition by name) as n,
    row_number() over (partition by name order by seconds is null, seconds) as place
  from chosen)
select case when :by not in ('hour', 'none') then name end as name,
  case when :by = 'hour' then cast(name as integer) end as hour_at,
  count(*) as tasks, sum(case when status = 'FAILED' then 1 else 0 end) as failed,
  round(avg(seconds), 3) as average_s,
  round(min(case when place * 2 >= n then seconds end), 3) as median_s,
  round(min(case when place * 100 >= n * 95 then seconds end), 3) as p95_s,
  sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out
from placed
group by placed.name
order by case when :by = 'hour' then 0 else count(*) end desc, placed.name desc
limit :limit
