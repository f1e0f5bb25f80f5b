-- Times are ISO-8601 in UTC with milliseconds, so that text sorts as time does; hours end in ":00:00.000Z".

-- One row for each name that was ever seen.
create table connections (
  mad_id text primary key,
  status text not null check (status in ('CONNECTED', 'HEALTHY', 'STALE', 'DISCONNECTED')),
  connected_at text not null,
  last_heartbeat text not null,
  status_since text not null,
  why text not null,
  has_beaten integer not null,
  interval_s integer,
  busy_until text,
  version text,
  via text,
  instances text not null default '[]'
) without rowid;

-- What changed, and when: a bounded history. status_before is null at the first appearance; a name
-- that is forgotten, because there were too many, changes from DISCONNECTED to DISCONNECTED.
create table connection_events (
  event_id integer primary key,
  at text not null,
  mad_id text not null,
  status_before text,
  status text not null,
  why text not null
);

create index connection_events_by_time on connection_events (at);
create index connection_events_by_name on connection_events (mad_id, at);

-- Messages by UTC hour, sender and kind of channel (REQ-RG-15). Sender "?" is malformed messages, "*" is names beyond the limit.
create table hourly_metrics (
  hour_timestamp text,
  sender_id text,
  topic_pattern text,
  message_count integer not null,
  primary key (hour_timestamp, sender_id, topic_pattern)
) without rowid;

-- Bytes of the same messages, beside their counts.
create table hourly_bytes (
  hour_timestamp text not null,
  sender_id text not null,
  topic_pattern text not null,
  byte_count integer not null,
  primary key (hour_timestamp, sender_id, topic_pattern)
) without rowid;

-- The same messages by channel; "*" is the channels beyond the limit of an hour.
create table hourly_channels (
  hour_timestamp text not null,
  channel text not null,
  message_count integer not null,
  byte_count integer not null,
  primary key (hour_timestamp, channel)
) without rowid;

-- How far the counts reach: written in the same transaction as they are. One row.
create table watermark (
  id integer primary key check (id = 1),
  seen_until text not null,
  messages integer not null
);

-- When Rogers wasn't watching, or couldn't keep up. until is null while that lasts;
-- missed is null where nobody can know.
create table not_seen (
  span_id integer primary key,
  since text not null,
  until text,
  reason text not null,
  missed integer
);

create index not_seen_by_time on not_seen (since);

-- Differences between what relays say and what Rogers counted (+RG-17). since and until are the cuts
-- between which the difference arose; hop is "bus>grace" or "grace>clients", with the relay's name.
create table losses (
  loss_id integer primary key,
  at text not null,
  since text not null,
  until text not null,
  hop text not null,
  relay text not null,
  instance text not null,
  rule integer not null check (rule in (1, 2)),
  subject text not null,
  expected integer not null,
  actual integer not null,
  reason text not null
);

create index losses_by_time on losses (at);

-- Clients that missed messages, as their relays tell it.
create table losers (
  loser_id integer primary key,
  at text not null,
  relay text not null,
  client_id text not null,
  missed integer,
  reason text not null
);

create index losers_by_time on losers (at);

-- Spans in which a relay could not be compared as a whole: Rogers wasn't watching, the relay's
-- connection was away, or the relay told no ledger.
create table not_compared (
  span_id integer primary key,
  since text not null,
  until text not null,
  relay text not null,
  instance text not null,
  reason text not null
);

create index not_compared_by_time on not_compared (since);

-- How much of each relay was reconciled in an hour: ledgers; subscriptions compared, and not comparable
-- (a subscription isn't until its second ledger); copies that should have been received; what clients
-- lost in its queues and were told of.
create table reconciled (
  relay text not null,
  instance text not null,
  hour_timestamp text not null,
  cuts integer not null,
  compared integer not null,
  not_comparable integer not null,
  messages integer not null,
  dropped integer not null,
  primary key (relay, instance, hour_timestamp)
) without rowid;

-- Malformed messages, the newest of them; those alike within 10 s stand in one row, with their number.
-- Channel "*" is those that came faster than they could be kept one by one.
create table dead_letters (
  letter_id integer primary key,
  at text not null,
  channel text not null,
  reason text not null,
  head text not null,
  size integer not null,
  messages integer not null default 1
);

create index dead_letters_by_time on dead_letters (at);

-- Channels that were published to with nobody known to listen: a row for each at most every 10 s, with
-- the messages since the one before. Channel "*" is those beyond 200 in that time.
create table unheard (
  unheard_id integer primary key,
  at text not null,
  channel text not null,
  messages integer not null
);

create index unheard_by_time on unheard (at);

-- Storms and loops (+RG-18): a row for each at most every 10 s, with the messages since the one before.
-- subject is the sender of a storm, the correlation id of a loop; participants is a JSON array of names.
create table alarms (
  alarm_id integer primary key,
  at text not null,
  kind text not null check (kind in ('storm', 'loop')),
  subject text not null,
  participants text not null,
  messages integer not null,
  detail text not null
);

create index alarms_by_time on alarms (at);

-- The messages of exchanges, in order, each cut at 4 KiB of payload: bounded by size and age.
create table journal (
  entry_id integer primary key,
  at text not null,
  conversation_id text not null,
  correlation_id text not null,
  message_id text not null,
  sender_id text not null,
  recipient_id text,
  channel text not null,
  payload text not null,
  payload_bytes integer not null,
  cut integer not null
);

create index journal_by_conversation on journal (conversation_id, entry_id);
create index journal_by_correlation on journal (correlation_id, entry_id);
create index journal_by_time on journal (at);

-- When the journal left messages out, why, and how many; null where nobody can know.
create table journal_gaps (
  gap_id integer primary key,
  since text not null,
  until text not null,
  reason text not null,
  messages integer
);

create index journal_gaps_by_time on journal_gaps (since);
