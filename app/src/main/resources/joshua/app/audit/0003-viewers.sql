create index audit_of_viewers on audit (audit_id) where role = 'viewer' and action = 'command';
drop trigger audit_is_kept_for_a_year;
create trigger audit_is_kept_for_a_year before delete on audit
when old.at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-365 days')
and not (
  coalesce(old.role, '') = 'viewer' and old.action = 'command'
  and old.audit_id <= coalesce((
    select audit_id from audit where role = 'viewer' and action = 'command'
    order by audit_id desc limit 1 offset 100000), 0)
)
begin
  select raise(abort, 'records of the audit are kept for a year');
end;
