-- When what was said wasn't kept.
-- argument since time: not ended before this
-- argument until time: begun before this
-- argument limit number = 50: how many
-- newest first
-- none: Everything has been kept.
-- one: From {since_at} to {until_at} not all was kept: {reason}.
-- many: {rows} times; the last from {since_at} to {until_at}: {reason}.
select since_at, until_at, messages, reason from not_seen
where (:since is null or until_at is null or until_at > :since)
  and (:until is null or since_at < :until)
order by since_at desc
limit :limit
