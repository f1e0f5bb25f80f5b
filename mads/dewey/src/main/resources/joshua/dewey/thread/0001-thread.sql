-- Threads: conversations with members and numbered posts. Times are milliseconds since 1970.
create table thread (
  thread_id text primary key,         -- the conversation_id of its posts
  title text not null,
  type text not null,
  status text not null,
  created_by text not null,
  created_at bigint not null,
  updated_at bigint not null,
  last_seq integer not null,
  bytes integer not null,             -- of its posts
  ran_minutes integer not null        -- how long Dewey had run when it was updated
);

create table member (
  thread_id text not null,
  participant text not null,
  coordinator boolean not null,
  read_seq integer not null,          -- what it has acknowledged
  primary key (thread_id, participant)
) without rowid;
create index member_participant on member (participant);

create table post (
  thread_id text not null,
  seq integer not null,
  message_id text not null unique,    -- of all copies
  sender_id text not null,
  kind text not null,
  in_reply_to integer,
  posted_at bigint not null,
  body text not null,                 -- an object
  idempotency_key text,               -- its sender's
  primary key (thread_id, seq)
);
create unique index post_key on post (thread_id, sender_id, idempotency_key) where idempotency_key is not null;

-- Copies that aren't mail yet, in this order.
create table outbox (
  copy_id integer primary key,
  message_id text not null,
  recipient text not null,
  sent_at bigint                      -- null until Redis has taken it
);

create trigger thread_deleted after delete on thread begin
  delete from outbox where message_id in (select message_id from post where thread_id = old.thread_id);
  delete from post where thread_id = old.thread_id;
  delete from member where thread_id = old.thread_id;
end;
