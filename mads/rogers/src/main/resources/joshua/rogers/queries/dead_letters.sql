-- Messages that are no envelopes, why, and how they begin.
-- argument channel channel: on it
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- newest first
-- phrasing: malformed|garbage|invalid|unparseable|letters|unreadable|rubbish + <asking>|messages|message|dead|anyone|there|envelopes|letters|malformed|channel|channels / own messages message dead letters bus is sent envelopes published there were was json seen sends sending received wire which channel channels
-- phrasing: broken|bad|corrupt|corrupted + message|messages|envelope|envelopes|json / who sent sender were was is there on
-- none: No: no malformed message is known.
-- one: On {channel}, from an unknown sender: {reason}.
-- many: {rows} kinds of malformed messages, from unknown senders; the last on {channel}: {reason}.
select last_at, subject as channel, messages, detail as reason,
  case when :reads_all or subject not glob 'mad.direct.*' then head
    else 'direct messages are for administrators' end as head
from incidents
where kind = 'dead_letter' and (:channel is null or subject = :channel)
  and (:since is null or last_at >= :since) and (:until is null or at < :until)
order by last_at desc, incident_id desc
limit :limit
