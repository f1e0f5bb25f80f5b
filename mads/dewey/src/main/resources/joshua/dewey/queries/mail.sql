-- For whom direct messages wait, and how old the oldest is.
-- argument participant name: only its own
-- argument limit number = 50: how many
-- none: No mail waits.
-- one: {waiting message} for {recipient}; the oldest came {oldest_at}.
-- many: {rows} participants have mail; most, {waiting message}, waits for {recipient}.
select recipient, count(*) as waiting, min(m.heard_at) as oldest_at, max(m.heard_at) as newest_at,
  (select joined_at from mailbox where mailbox.recipient = mail.recipient) as first_joined_at
from mail join message m using (position)
where collected_at is null and (:participant is null or recipient = :participant)
group by recipient
order by first_joined_at is not null, waiting desc, recipient
limit :limit
