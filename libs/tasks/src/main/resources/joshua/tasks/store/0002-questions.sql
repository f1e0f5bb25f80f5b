-- Whether a task was only a question: DTR or LPPM answered it, and nothing was worked on (wire
-- contract §3). Set when the stage that answers is known; 0 until then.
alter table tasks add column question integer not null default 0 check (question in (0, 1));

update tasks set question = 1
where json_extract(result_payload, '$.stage') in ('dtr', 'lppm');

-- Lists and counts choose by it, so it stands before the id and the time in each index that those go by.
drop index tasks_by_creation;
drop index tasks_by_requester;
drop index tasks_by_status;
drop index tasks_by_requester_and_status;
create index tasks_by_creation on tasks (question, created_at);
create index tasks_by_kind on tasks (question, task_id);
create index tasks_by_requester on tasks (requester_id, question, task_id);
create index tasks_by_status on tasks (status, question, task_id);
create index tasks_by_requester_and_status on tasks (requester_id, status, question, task_id);
