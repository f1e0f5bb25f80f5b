-- What waits and what runs now.
-- example: how long is the queue?
-- phrasing: queue|backlog|busy|load|queued / own task tasks job jobs long full size length deep many number waiting
-- none: Nothing waits and nothing runs.
-- one: {waiting} tasks wait and {running} run.
select sum(case when w.stage in (0, 1) then 1 else 0 end) as waiting,
  sum(case when w.stage = 2 then 1 else 0 end) as running,
  min(case when w.stage in (0, 1) then t.created_at end) as oldest_waiting_at,
  min(case when w.stage = 2 then w.started_at end) as oldest_running_at
from work w join task_record t on t.task_id = w.task_id
where w.stage < 3 and t.kind = 'WORK'
having count(*) > 0
