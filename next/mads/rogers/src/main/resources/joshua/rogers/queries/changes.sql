-- Who came, left, fell silent or came back, newest first.
-- argument participant name: a single one
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- phrasing: who|anyone|anybody|agents|participants|<asking> + left|joined|join|leave|leaves|joins|came|come|went|go|dropped|disappeared|vanished|disconnected|disconnect|connect|reconnected|appeared|arrived|changed / bus went go came come gone stale off offline silent quiet and participants agents connections presence has have again back recently online connected
-- phrasing: changes|comings|joins|arrivals|departures + <asking>|presence|connection|connections|goings|leaves|participants|<requester>|last|recent|and / presence connection connections goings leaves state participants bus departures joins of
-- phrasing: <requester> + left|joined|came|disconnected|reconnected|dropped / did when off bus and come back came again go last offline
-- phrasing: <requester> + did|when|has + join|leave|disconnect|reconnect|drop|come|go / did when off bus and come back came back again go last offline
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
