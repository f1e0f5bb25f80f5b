-- Times are milliseconds since 1970.
create table message (
  position integer primary key,       -- the bus's order
  heard_at bigint not null,
  kind text not null,                 -- DIRECT, TOPIC, BROADCAST
  sender_id text not null,
  channel text not null,
  message_id text not null,
  conversation_id text not null,
  correlation_id text not null,
  body text not null                  -- as published
);
create index message_id on message (message_id);
create index message_channel on message (channel);
create index message_sender on message (sender_id);
create index message_conversation on message (conversation_id);
create index message_correlation on message (correlation_id);

-- The words of messages, by position, added later than these.
create virtual table message_text using fts5 (text, content='', contentless_delete=1);
-- A segment is rewritten when 50 % of it is deleted; at 10, the default, deletions take ten times as long.
insert into message_text (message_text, rank) values ('deletemerge', 50);
create trigger message_text_deleted after delete on message begin
  delete from message_text where rowid = old.position;
end;

-- Positions never go back, also when all messages have been deleted.
create table archive (
  id integer primary key check (id = 1),
  last_position integer not null,
  indexed_until integer not null,     -- the last position in message_text, or passed over there
  ran_minutes integer not null        -- how long Dewey has run, all in all
);
insert into archive values (1, 0, 0, 0);

-- The last position at the beginning of each hour in which Dewey ran.
create table ran_hour (
  hour integer primary key,
  position integer not null
);

-- Of a span in which more came than could be kept: how many messages weren't.
alter table not_seen add column messages bigint;
