-- Who came, left, fell silent or came back, newest first.
-- argument participant name: a single one
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- none: Nobody came or went.
-- one: {participant} was {why}.
-- many: {rows} changes; the newest: {participant} was {why}.
select at as changed_at, mad_id as participant, status_before as before, status, why
from connection_events
where (:participant is null or mad_id = :participant)
  and (:since is null or at >= :since)
  and (:until is null or at < :until)
order by event_id desc
limit :limit
