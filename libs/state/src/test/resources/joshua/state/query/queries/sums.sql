-- Items with what they come to.
-- argument channel channel: of no use
-- one: One item, {id}.
select id, count, case when :reads_all then 'open' else 'closed' end as door from item order by id
-- sentence
select printf('%d items, %d in all', count(*), sum(value ->> 'count'))
  || coalesce(' for ' || :channel, '') || '.' from json_each(:rows)
