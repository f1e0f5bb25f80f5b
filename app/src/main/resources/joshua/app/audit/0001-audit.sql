create table audit (
  audit_id integer primary key,
  at text not null,
  came_from text not null,
  who text not null,
  fingerprint text,
  role text,
  action text not null,
  detail text not null,
  result text not null
);
create index audit_by_time on audit (at);
create trigger audit_is_never_changed before update on audit
begin
  select raise(abort, 'records of the audit are never changed');
end;
create trigger audit_is_kept_for_a_year before delete on audit
when old.at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-365 days')
begin
  select raise(abort, 'records of the audit are kept for a year');
end;
