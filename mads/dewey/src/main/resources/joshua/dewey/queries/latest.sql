-- What each participant said last on a topic, its progress for instance.
-- argument channel channel = mad.broadcast: the topic
-- argument limit number = 50: how many participants
-- none: Nothing is kept of that topic.
-- one: {sender_id} said something last at {heard_at}.
-- many: {rows} participants; {sender_id} was the last, at {heard_at}.
select sender_id, max(position) as position, heard_at, body ->> '$.payload' as payload
from message
where channel = :channel and kind <> 'DIRECT'
group by sender_id
order by 2 desc
limit :limit
