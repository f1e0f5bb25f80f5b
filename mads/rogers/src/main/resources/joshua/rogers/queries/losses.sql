-- Whether messages were lost: whose, and why.
-- argument participant name: a single client, that missed or sent them
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 50: how many
-- newest first
-- example: was anything lost today?
-- phrasing: lost|lose|loss|losses|losing|missing|missed|miss|dropped + messages|message|anything|something|msgs|losses|loss|any|we|<asking>|<requester> / own messages message msgs get gets got go bus went been missing lost was were drop dropped anything have has is many some losses
-- note: Whether anybody received a message is known 12 s after it, whether Dewey keeps it 30 s after it at most, what a client misses when it polls next.
with found as (
  select kind as what, subject, messages, detail, last_at from incidents
  where kind in ('missed', 'unheard', 'lost_away')
    and (:since is null or last_at >= :since) and (:until is null or at < :until)
  union all
  select 'not_seen', 'rogers', 0, reason, since_at from not_seen
  where (:since is null or until_at is null or until_at > :since)
    and (:until is null or since_at < :until))
select what, subject, messages, detail, last_at from found
where :participant is null or subject = :participant or subject = 'mad.direct.' || :participant
  or instr(detail || ' ', 'sent by ' || :participant || ' ') = 1
order by last_at desc
limit :limit
-- sentence
select case
  when lost > 0 then
    printf('Yes: clients missed messages %d time%s, %s%d in all%s.', missed, iif(missed = 1, '', 's'),
      iif(uncounted > 0, 'at least ', ''), lost,
      iif(away = 0, '', printf('; and %d to somebody who was away', away)))
  when away > 0 then
    printf('Yes: %d message%s to somebody who was away.', away, iif(away = 1, '', 's'))
  when unheard > 0 then
    printf('Nobody received %d message%s; no client missed any.', unheard, iif(unheard = 1, '', 's'))
  when rows > 0 then 'No: no message is known to be lost, but see what may have been.'
  else 'No: nothing is known to be lost.' end
  || iif(kept = 0, '', printf(' Dewey keeps %d message%s to somebody who was away.', kept,
    iif(kept = 1, '', 's')))
  || iif(others = 0, '', printf(' Who sent another %d lost message%s isn''t known.', others,
    iif(others = 1, '', 's')))
from (
  select count(*) filter (where value ->> 'what' = 'missed') as missed,
    sum(value ->> 'messages') filter (where value ->> 'what' = 'missed') as lost,
    count(*) filter (where value ->> 'what' = 'missed' and value ->> 'messages' = 0) as uncounted,
    coalesce(sum(value ->> 'messages') filter (where value ->> 'what' = 'lost_away'), 0) as away,
    sum(value ->> 'messages') filter (where value ->> 'what' = 'unheard') as unheard,
    count(*) as rows,
    (select coalesce(sum(messages), 0) from incidents
      where subject <> :participant and subject <> 'mad.direct.' || :participant
        and (kind = 'missed' or (kind = 'unheard' and instr(detail, 'sent by ') = 0))
        and (:since is null or last_at >= :since) and (:until is null or at < :until)) as others,
    (select coalesce(sum(messages), 0) from incidents
      where kind = 'kept_away' and (:participant is null or subject = :participant
          or instr(detail || ' ', 'sent by ' || :participant || ' ') = 1)
        and (:since is null or last_at >= :since) and (:until is null or at < :until)) as kept
  from json_each(:rows))
