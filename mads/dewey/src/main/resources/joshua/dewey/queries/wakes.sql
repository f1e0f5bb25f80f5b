-- Who is woken, and what came of it.
-- argument participant name: only this one
-- argument limit number = 50: how many
-- newest first
-- none: Nobody has been woken; joshua wake NAME runs a command that wakes somebody.
-- one: {participant}: {state}.
-- many: {rows} wakes; the last, of {participant}, is {state}.
select participant, wake_id,
  case when state = 'DUE' and paused_reason is not null then 'due: paused'
    when state = 'DUE' and (runner_at is null or runner_at < unixepoch() * 1000 - 60000)
      then 'due: no runner'
    else lower(state) end as state,
  tries, created_at, iif(state = 'DUE', due_at, null) as due_at, ended_at,
  case state when 'DUE' then coalesce(paused_reason, last_error)
    else last_error || iif(paused_reason is null, '', ' (paused)') end as reason,
  (select group_concat(outcome || iif(detail is null, '', ': ' || detail), '; ')
    from wake_attempt where wake_attempt.wake_id = wake.wake_id) as attempts
from wake left join waker using (participant)
where :participant is null or participant = :participant
order by wake_id desc
limit :limit
