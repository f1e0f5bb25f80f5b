-- When Rogers wasn't watching, so that nothing was counted.
-- argument since time: not ended before this
-- argument until time: begun before this
-- argument limit number = 20: how many
-- newest first
-- phrasing: <requester>|you|watching|monitoring + miss|missed|blind|gaps|watching|away|monitoring|offline|down / rogers when were was not any is gaps you watching seen unwatched have in times there weren't
-- none: Rogers has watched all the time.
-- one: Rogers wasn't watching from {since_at} to {until_at}: {reason}.
-- many: {rows} times; the last from {since_at} to {until_at}: {reason}.
select since_at, until_at, reason from not_seen
where (:since is null or until_at is null or until_at > :since)
  and (:until is null or since_at < :until)
order by since_at desc
limit :limit
