select case :ask ->> 'strategy'
  when 'CONCLUSION_ONLY' then
    coalesce(conclusion, 'Branch ' || id || ' merged without explicit conclusion')
  when 'FULL_INTEGRATION' then
    'Branch ' || id || ' integration:' || coalesce((select group_concat(
        char(10) || '- Thought ' || number || ': ' || thought, '' order by number)
      from thought where session = b.session and branch = b.id), '')
  else
    'Branch ' || id || ' summary: ' || (select count(*) from thought
      where session = b.session and branch = b.id) || ' thoughts explored from thought ' || origin
      || coalesce('. Conclusion: ' || conclusion, '')
  end
from branch b
where session = :ask ->> 'session' and id = :ask ->> 'branchId'
