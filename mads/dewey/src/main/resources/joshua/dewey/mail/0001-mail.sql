-- Direct messages by recipient, and what became of each. Times are milliseconds since 1970.
create table mail (
  recipient text not null,
  position integer not null,
  message_id text not null,
  sender_id text not null,
  collected_at bigint,                -- null while it waits
  collected_by text,                  -- the recipient by a tool, a relay for it, or bus: it listened
  primary key (recipient, position)
) without rowid;
create index mail_waiting on mail (recipient, position) where collected_at is null;
create index mail_message on mail (message_id);

-- Everybody who has ever joined.
create table mailbox (
  recipient text primary key,
  joined_at bigint not null           -- for the first time
) without rowid;

-- Mail that went uncollected, by sender, until its recipient has collected what is left.
create table expired_mail (
  recipient text not null,
  sender_id text not null,
  message_id text not null,           -- of one of them
  messages integer not null,
  expired_at bigint not null,         -- the last of them
  told boolean not null,              -- whether the sender has been
  primary key (recipient, sender_id)
) without rowid;
