-- Who talks to whom directly, and how much. By whole hours of UTC.
-- argument participant name: only what it sends or is sent
-- argument recipient name: only what it is sent
-- argument since time: from the hour that has this
-- argument until time: before this
-- argument limit number = 50: how many pairs
-- phrasing: who|whom|participants + talks|talk|speaks|talking|communicates / to whom who each other with directly talks talk participants one another
-- phrasing: who|whom + write|writes|send|sends|message + <requester> + to / does do did most messages
-- phrasing: <recipient> + who|which + sent|sends|send|sending|wrote|writes|write|writing|messages|talk|talks|talking|speak / who which has participants sent sends send messages message most many number of count direct
-- phrasing: <recipient> + did|has|does + anyone|anybody|somebody|someone|many|number|count + sent|sends|send|sending|wrote|writes|write|writing|messages|talk|talks|talking|speak / who which has participants sent sends send messages message most many number of count direct
-- phrasing: <recipient> + does|did + talk|talks|speak / each other directly
-- note: Counted by whole hours of UTC; a time within one is widened to it.
-- none: No such message was counted.
-- one: {sender} sent {messages message} to {recipient}.
-- many: {rows} pairs, the busiest first: {sender} sent {messages message} to {recipient}.
select sender_id as sender, substr(channel, length('mad.direct.') + 1) as recipient,
  sum(messages) as messages, sum(bytes) as bytes, max(hour_at) as last_hour_at
from traffic
where topic_pattern = 'mad.direct' and channel <> 'mad.direct.*'
  and (:participant is null or sender_id = :participant or channel = 'mad.direct.' || :participant)
  and (:recipient is null or channel = 'mad.direct.' || :recipient)
  and (:since is null or hour_at >= :since - :since % 3600000)
  and (:until is null or hour_at < :until)
group by 1, 2
order by sum(messages) desc, sender, recipient
limit :limit
