-- One task with its result or its error.
-- argument id id: the task, or the beginning or end of its id, from 6 characters on; the newest work, if it isn't given
-- argument requester name: who asked for it
-- phrasing: <id> / task job id details detail info status state done finished completed failed running pending result results output answer answered error wrong why fail fails say said went come came going happened happen prompt text return returned
-- none: There is no such task.
-- one: Task {task_id} is {status}.
-- many: {rows} tasks have an id that begins or ends so.
select task_id, state as status, requester_id as requester, attempt as attempts, created_at,
  begun_at as started_at, ended_at, error_details ->> '$.message' as error,
  substr(result_payload ->> '$.text', 1, 20000) as result, substr(prompt, 1, 1000) as prompt
from task_state
where iif(:id is null, kind = 'WORK',
    (task_id >= :id and task_id < :id || 'g') or task_id like '%' || :id)
  and (:requester is null or requester_id = :requester)
order by task_id desc limit iif(:id is null, 1, 20)
