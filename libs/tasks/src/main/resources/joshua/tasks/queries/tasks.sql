-- Tasks, newest first.
-- argument status PENDING|RUNNING|STREAMING|COMPLETED|FAILED|UNFINISHED: how they stand
-- argument requester name: who asked for them
-- argument kind WORK|QUESTION|ALL = WORK: whether questions about the service count
-- argument since time: not older than this
-- argument until time: older than this
-- argument order newest|slowest = newest: which come first
-- argument limit number = 20: how many
-- words status: failed = FAILED; pending waiting queued = PENDING; running = RUNNING; streaming = STREAMING; completed done finished succeeded = COMPLETED; unfinished active open = UNFINISHED
-- newest first
-- example: which tasks failed today?
-- phrasing: task|tasks|job|jobs / own status state submitted asked requested work go names overview
-- phrasing: <status> + <asking> / own task tasks job jobs work
-- phrasing: <requester> + submitted|asked|requested|sent|started|task|tasks|job|jobs|work / <asking> own submitted asked requested sent started task tasks job jobs work
-- phrasing: fail|fails|failures|failure|failing|errors|error|wrong|broke|broken|crashed / task tasks job jobs own went go goes happened submitted why one / status=FAILED
-- phrasing: slowest|longest + task|tasks|job|jobs|<asking> / took take taken taking run ran time task tasks job jobs / order=slowest
-- phrasing: executing|processing|working|progress|active|busy + <asking>|task|tasks|job|jobs / task tasks job jobs doing / status=UNFINISHED
-- one: One task.
-- many: {rows} tasks.
select task_id, state as status, requester_id as requester, created_at,
  round((updated_at - begun_at) / 1000.0, 3) as seconds, substr(prompt, 1, 200) as prompt,
  iif(:status = 'FAILED', substr(error_details ->> 'message', 1, 200), null) as error
from task_state
where (:requester is null or requester_id = :requester)
  and (:kind = 'ALL' or kind = :kind)
  and (:status is null or state = :status
    or (:status = 'UNFINISHED' and status = 'PENDING'))
  and (:since is null or created_at >= :since)
  and (:until is null or created_at < :until)
order by case when :order = 'slowest' then coalesce(updated_at - begun_at, 0) else 0 end desc,
  task_id desc
limit :limit
-- sentence
select 'There are no such tasks' || iif(:kind <> 'WORK' or count(*) = 0, '', printf(
  '; %d %s counted, kind=all has them', count(*),
  iif(count(*) = 1, 'question isn''t', 'questions aren''t'))) || '.'
from task_state
where kind = 'QUESTION' and (:requester is null or requester_id = :requester)
  and (:status is null or state = :status
    or (:status = 'UNFINISHED' and status = 'PENDING'))
  and (:since is null or created_at >= :since)
  and (:until is null or created_at < :until)
