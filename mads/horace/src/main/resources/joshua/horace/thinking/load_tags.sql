insert or ignore into tag
select :ask ->> 'id', thought.key + 1, fold(trim(tag.value))
from json_each(:ask, '$.train.thoughtHistory') thought, json_each(thought.value, '$.tags') tag
