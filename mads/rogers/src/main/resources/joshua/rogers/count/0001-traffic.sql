-- Times are milliseconds since 1970.
create table traffic (
  hour_at bigint not null,            -- the beginning of the hour, in UTC
  sender_id text not null,            -- ? where a message names none, * beyond the limit
  channel text not null,              -- or all of a kind: mad.stream.*
  topic_pattern text not null,        -- the kind: mad.direct, mad.topic …
  messages bigint not null,
  bytes bigint not null,
  primary key (hour_at, sender_id, channel)
) without rowid;

-- The counts as the design names them.
create view hourly_metrics as
  select strftime('%Y-%m-%dT%H:%M:%fZ', hour_at / 1000.0, 'unixepoch') as hour_timestamp,
    sender_id, topic_pattern, sum(messages) as message_count
  from traffic group by hour_at, sender_id, topic_pattern;

create table watermark (
  id integer primary key check (id = 1),
  counted_since_at bigint not null,   -- what was published before isn't counted
  seen_until_at bigint not null,      -- and what was published after isn't, yet
  per_second real not null            -- messages, in the ten seconds before
);

-- When something may have been published that isn't counted.
create table not_seen (
  span_id integer primary key,
  since_at bigint not null,
  until_at bigint,                    -- null while it lasts
  reason text not null
);
