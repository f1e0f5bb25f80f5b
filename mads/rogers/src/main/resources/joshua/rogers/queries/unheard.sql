-- Channels on which nobody received what was published.
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- newest first
-- phrasing: nobody|noone|unheard|nowhere + listening|listens|listened|heard|received|receives|receive|reads|messages|channels|published|follows|channel|<asking> / messages channels channel sent published went was were is on one that which to
-- note: What was sent to somebody known who was away is among losses; whether anybody received a message is known 12 s after it.
-- none: No: nothing is known to have gone unheard.
-- one: Nobody received {messages message} on {channel}: {detail}.
-- many: On {rows} channels nobody received anything, the last {channel}.
select subject as channel, sum(messages) as messages, max(last_at) as last_at, replace(group_concat(distinct detail), ',sent by', ', sent by') as detail
from incidents
where kind = 'unheard'
  and (:since is null or last_at >= :since) and (:until is null or at < :until)
group by subject
order by max(last_at) desc, subject
limit :limit
