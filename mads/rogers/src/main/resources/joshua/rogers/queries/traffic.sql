-- How many messages and bytes by whole hours of UTC; by sender without mad.system.
-- argument by sender|kind|hour|total = sender: what is summed up
-- argument participant name: only what it sent
-- argument kind mad.direct|mad.topic|mad.broadcast|mad.stream|mad.system|mad.other: only on such channels
-- argument since time: from the hour that has this
-- argument until time: to the end of the hour that has this
-- argument limit number = 20: how many rows
-- words kind: direct = mad.direct; broadcast broadcasts = mad.broadcast; topic topics = mad.topic; stream streams = mad.stream
-- phrasing: who|sender|senders|participants + most|busiest|top|loudest|noisiest|chattiest|active|talks|talkative|many / sends sent send messages message bus talks talk traffic active writes publishes published sender senders busiest chattiest participants per by each is produced produces the
-- phrasing: many|number|count|total|much|amount|volume + messages|message|msgs|traffic|volume|<kind> / messages message msgs sent send went published there were passed over through bus total sender altogether traffic flowed go been was count number / by=total
-- phrasing: messages|msgs|traffic|message + sender|senders|participant|who / per by each messages sent sender senders bus did put break down split / by=sender
-- phrasing: hour|hours|hourly + traffic|messages|msgs|busiest|busy|quietest|activity|volume / own per by each messages traffic was is bus activity busiest hour day volume break down split / by=hour
-- phrasing: kind|kinds|type|types|split|breakdown + messages|traffic|channel|channels|message / own by per of messages traffic message channel bus break down / by=kind
-- phrasing: <requester> + many|much|number|count|total + sent|send|messages|published|msgs / many messages msgs much count number has did total written of from / by=total
-- none: Nothing was counted.
with chosen as (
  select hour_at, sender_id, topic_pattern, messages, bytes from traffic
  where (:participant is null or sender_id = :participant)
    and (:kind is null or topic_pattern = :kind)
    and (:kind is not null or (:by <> 'sender' and :participant is null)
      or topic_pattern <> 'mad.system')
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
select printf('%,d message%s, %,d bytes%s%s.', messages, iif(messages = 1, '', 's'), bytes,
  iif(number = 1, '', printf(' in these %d rows, most of them %s (%,d)', number, most ->> 'name',
    most ->> 'messages')),
  iif(:since is null or :since % 3600000 = 0, '', printf(' since %s',
    strftime('%H:%MZ', (:since - :since % 3600000) / 1000.0, 'unixepoch')))
  || iif(:until is null or :until % 3600000 = 0, '', printf(' until %s',
    strftime('%H:%MZ', (:until - :until % 3600000 + 3600000) / 1000.0, 'unixepoch')))
  || iif(coalesce(:since, 0) % 3600000 = 0 and coalesce(:until, 0) % 3600000 = 0, '',
    ': only whole hours are counted'))
from (
  select sum(value ->> 'messages') as messages, sum(value ->> 'bytes') as bytes, count(*) as number,
    (select value from json_each(:rows) order by value ->> 'messages' desc, id limit 1) as most
  from json_each(:rows))
