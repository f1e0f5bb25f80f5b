-- Direct messages by recipient, and what became of each. Times are milliseconds since 1970.
create table mail (
  recipient text not null,
  position integer not null,
  message_id text not null,
  sender_id text not null,
  given_at bigint,                    -- to the recipient, who may not have read it
  given_by text,                      -- the relay that says so
  collected_at bigint,                -- null while it waits
  collected_by text,                  -- the recipient by a tool, a relay for it, or bus: it listened
  acknowledged_at bigint,             -- by the recipient
  response text,                      -- with this object
  primary key (recipient, position)
) without rowid;
create index mail_waiting on mail (recipient, position) where collected_at is null;
create index mail_message on mail (message_id);

-- Everybody who has ever joined.
create table mailbox (
  recipient text primary key,
  joined_at bigint not null           -- for the first time
) without rowid;

-- Mail that was deleted uncollected, by sender, until its recipient has collected what is left.
create table expired_mail (
  recipient text not null,
  sender_id text not null,
  message_id text not null,           -- of the last
  messages integer not null,
  told boolean not null,              -- whether the sender has been
  primary key (recipient, sender_id)
) without rowid;
create trigger mail_expired after delete on mail when old.collected_at is null begin
  insert into expired_mail values (old.recipient, old.sender_id, old.message_id, 1, 0)
  on conflict do update set messages = messages + 1, message_id = excluded.message_id;
end;
create trigger mail_deleted after delete on message when old.kind = 'DIRECT' begin
  delete from mail
  where recipient = substr(old.channel, length('mad.direct.') + 1) and position = old.position;
end;
