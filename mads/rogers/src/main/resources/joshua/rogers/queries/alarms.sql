-- Storms (somebody sends far more than usual) and loops (participants may answer each other for ever).
-- argument kind storm|loop: one of them
-- argument participant name: with it
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 20: how many
-- words kind: storm storms flood floods flooding spamming = storm; loop loops looping = loop
-- newest first
-- phrasing: alarms|alarm|alerts|alert + <asking>|there|alarms|alerts|alarm / own bus is raised were there
-- phrasing: <kind> + <asking>|anyone|there|anybody|somebody|someone|alarms|participants|stuck / is in a bus there were alarms participants messages message stuck going on anybody
-- none: No: there was no alarm.
-- one: {kind} of {participants}: {detail}.
-- many: {rows} alarms; the last: {kind} of {participants}: {detail}.
select at as begun_at, last_at, kind, subject as participants, messages, detail from incidents
where kind in ('storm', 'loop') and (:kind is null or kind = :kind)
  and (:participant is null or instr(',' || subject || ',', ',' || :participant || ',') > 0)
  and (:since is null or last_at >= :since) and (:until is null or at < :until)
order by at desc, incident_id desc
limit :limit
