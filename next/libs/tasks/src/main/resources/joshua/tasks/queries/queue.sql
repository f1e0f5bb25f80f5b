-- What waits and what runs now.
-- phrasing: queue|backlog|busy|load|queued / task tasks job jobs long full size length deep many number waiting
-- none: Nothing waits and nothing runs.
-- one: {waiting} tasks wait and {running} run.
select sum(case when stage in (0, 1) then 1 else 0 end) as waiting,
  sum(case when stage = 2 then 1 else 0 end) as running,
  sum(case when stage = 3 then 1 else 0 end) as ended_but_untold,
  min(case when stage in (0, 1) then updated_at end) as oldest_waiting_at,
  min(case when stage = 2 then started_at end) as oldest_running_at
from work
having count(*) > 0
