-- Who came, left, fell silent or came back, newest first.
-- argument which came|left|moved|silent|back: of which kind, moved: came or left; all, if it isn't given
-- argument participant name: a single one
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- newest first
-- phrasing: who|anyone|anybody|participants|<requester>|<asking> + back + came|come|comes|returned|reconnected / bus left leave has have did again and participants recently when why / which=back
-- phrasing: who|anyone|anybody|participants|<asking> + left|leave|leaves|dropped|disappeared|vanished|disconnected / bus has have did off again participants unexpectedly recently when why and / which=left
-- phrasing: <requester> + left|dropped|disconnected / bus has have did off again participants unexpectedly recently when why and / which=left
-- phrasing: <requester> + did|when + leave|drop|disconnect / bus has have did off again participants unexpectedly recently when why and / which=left
-- phrasing: who|anyone|anybody|participants|<asking> + joined|join|joins|came|come|appeared|arrived|reconnected / bus has have did off again participants unexpectedly recently when why and / which=came
-- phrasing: <requester> + joined|came|arrived|reconnected / bus has have did off again participants unexpectedly recently when why and / which=came
-- phrasing: <requester> + did|when + join|come|arrive|reconnect / bus has have did off again participants unexpectedly recently when why and / which=came
-- phrasing: who|anyone|anybody|participants|<asking> + left|joined|join|leave|leaves|joins|came|come|went|go|dropped|disappeared|vanished|disconnected|disconnect|connect|reconnected|appeared|arrived|changed / bus went go came come gone stale off offline silent quiet and participants connections presence has have again back recently online connected
-- phrasing: changes|comings|joins|arrivals|departures + <asking>|presence|connection|connections|goings|leaves|participants|<requester>|last|recent|and / presence connection connections goings leaves state participants bus departures joins of
-- phrasing: <requester> + left|joined|came|disconnected|reconnected|dropped / did when off bus and come back came again go last offline
-- phrasing: <requester> + did|when|has + join|leave|disconnect|reconnect|drop|come|go / did when off away bus and come back came again go last offline
-- phrasing: who|anyone|anybody|someone|somebody|participants + quiet|silent + gone|go|went|fell|became / has have did bus recently / which=silent
-- phrasing: who|anyone|anybody|participants|<asking> + joined|join|came|come|connected|appeared|arrived + left|leave|went|gone|dropped|disappeared|disconnected / bus has have did and participants when / which=moved
select at as changed_at, mad_id as participant, status_before as before, status, why
from connection_events
where (:which is null
    or (:which in ('left', 'moved') and status = 'DISCONNECTED')
    or (:which = 'silent' and cause = 'silent')
    or (:which = 'back' and status in ('HEALTHY', 'CONNECTED') and status_before = 'DISCONNECTED')
    or (:which in ('came', 'moved') and status in ('HEALTHY', 'CONNECTED')
      and coalesce(status_before, 'DISCONNECTED') = 'DISCONNECTED'))
  and (:participant is null or mad_id = :participant)
  and (:since is null or at >= :since)
  and (:until is null or at < :until)
order by event_id desc
limit :limit
-- sentence
select case when number = 0 then 'Nobody did.'
  when number = 1 then printf('%s became %s at %s.', first ->> 'participant', first ->> 'status',
    first ->> 'changed_at')
  else printf('%d changes of %d participant%s; the newest: %s became %s at %s.', number, participants,
    iif(participants = 1, '', 's'), first ->> 'participant', first ->> 'status',
    first ->> 'changed_at') end
from (
  select count(*) as number, count(distinct value ->> 'participant') as participants,
    :rows -> '$[0]' as first
  from json_each(:rows))
