-- Which channels carry most; who sends on one; where somebody sends. By whole hours of UTC.
-- argument channel channel: who sends on it
-- argument kind mad.direct|mad.topic|mad.broadcast|mad.stream|mad.system|mad.other: only such channels
-- argument participant name: where it sends
-- argument since time: from the hour that has this
-- argument until time: before this
-- argument limit number = 20: how many rows
-- phrasing: channel|channels + most|busiest|busy|top|active|traffic|loudest|used|popular|<asking> / own traffic messages carry carries have has is busy busiest active on bus used activity channels see
-- phrasing: <channel> + who|sender|senders|publishers|publisher|publishes|sends|writes|many|much|traffic / sends sent send publishes published writes posts to posted publishing messages senders traffic much has carried went there were
-- phrasing: where|channels|channel + <requester> / send sends publish publishes post posts write writes talk talks does on is sent published uses use
-- phrasing: <kind> + busiest|busy|loudest|popular|active|top / most is are messages traffic carry channels
-- note: Counted by whole hours of UTC; a time within one is widened to it.
-- none: Nothing was counted there.
-- one: {channel} carried {messages message}.
select channel, case when :channel is null and :participant is null then null else sender_id end
    as sender, count(distinct sender_id) as senders, sum(messages) as messages, sum(bytes) as bytes,
  max(hour_at) as last_hour_at
from traffic
where (:channel is null or channel = :channel)
  and (:kind is null or topic_pattern = :kind)
  and (:participant is null or sender_id = :participant)
  and (:since is null or hour_at >= :since - :since % 3600000)
  and (:until is null or hour_at < :until)
group by 1, 2
order by sum(messages) desc, channel, sender
limit :limit
-- sentence
select printf('%d %ss, the busiest first: %s with %,d message%s.', json_array_length(:rows), what,
  first ->> what, first ->> 'messages', iif(first ->> 'messages' = 1, '', 's'))
from (select :rows -> '$[0]' as first, iif(:channel is null, 'channel', 'sender') as what)
