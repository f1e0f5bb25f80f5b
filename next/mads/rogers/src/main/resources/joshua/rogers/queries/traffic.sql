-- How many messages and bytes there were, by whole hours of UTC.
-- argument by sender|kind|hour|total = sender: what is summed up
-- argument participant name: only what it sent
-- argument kind mad.direct|mad.topic|mad.broadcast|mad.stream|mad.system|mad.other: only on such channels
-- argument since time: from the hour that has this
-- argument until time: before this
-- argument limit number = 20: how many rows
-- none: Nothing was counted.
with chosen as (
  select hour_at, sender_id, topic_pattern, messages, bytes from traffic
  where (:participant is null or sender_id = :participant)
    and (:kind is null or topic_pattern = :kind)
    and (:since is null or hour_at >= :since - :since % 3600000)
    and (:until is null or hour_at < :until))
select case :by when 'sender' then sender_id when 'kind' then topic_pattern when 'total' then 'all'
    else strftime('%Y-%m-%dT%H:%M:%fZ', hour_at / 1000.0, 'unixepoch') end as name,
  sum(messages) as messages, sum(bytes) as bytes, max(hour_at) as last_hour_at
from chosen
group by 1
order by case when :by = 'hour' then max(hour_at) else sum(messages) end desc, name
limit :limit
-- sentence
select printf('%,d messages, %,d bytes', sum(value ->> 'messages'), sum(value ->> 'bytes'))
  || case when count(*) = 1 then '.' else ' in these ' || count(*) || ' rows.' end
from json_each(:rows)
