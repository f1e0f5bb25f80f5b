-- What happened in a span, or within five minutes of at.
-- argument at time: around this
-- argument participant name: with it
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 50: how many
-- newest first
-- phrasing: happened|happening|happen|events|timeline|history + <asking>|<at>|<since>|around|timeline|events / around bus events on recently last happened was is went
-- phrasing: going|went + on + what|anything|much / has been is was happening bus there
-- none: Nothing like that is known.
-- one: One thing: {what} {subject}: {detail}.
with span as (
  select coalesce(:since, :at - 300000, 0) as since,
    coalesce(:until, :at + 300000, 9223372036854775807) as until),
found as (
  select at as happened_at, 'state' as what, mad_id as subject, why as detail
  from connection_events, span where at >= since and at < until
  union all
  select at, kind, subject, detail from incidents, span where last_at >= since and at < until
  union all
  select since_at, 'not_seen', 'rogers', reason from not_seen, span
  where (until_at is null or until_at > since) and since_at < until)
select happened_at, what, subject, detail from found
where :participant is null or subject = :participant or subject = 'mad.direct.' || :participant
  or instr(',' || subject || ',', ',' || :participant || ',') > 0
order by happened_at desc, what, subject
limit :limit
-- sentence
select printf('%d things%s, the last at %s: %s %s: %s.', json_array_length(:rows),
  iif(:at is null, '', ' within five minutes of ' || strftime('%H:%MZ', :at / 1000.0, 'unixepoch')),
  substr(:rows ->> '$[0].happened_at', 12, 5) || 'Z', :rows ->> '$[0].what',
  :rows ->> '$[0].subject', :rows ->> '$[0].detail')
