insert into checkpoint
select :ask ->> 'project', coalesce(:ask ->> 'checkpoint_id', ''),
  coalesce(:ask ->> 'level', 'UNKNOWN'), upper(coalesce(:ask ->> 'status', 'completed')),
  coalesce(:ask ->> 'decision', ''), :ask ->> 'rationale', :ask ->> 'author', :ask ->> 'at'
where true
on conflict do update set level = excluded.level, status = excluded.status,
  decision = excluded.decision, rationale = excluded.rationale, author = excluded.author,
  at = excluded.at
where status <> excluded.status or decision <> excluded.decision
