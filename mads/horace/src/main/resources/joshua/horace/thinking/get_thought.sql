select json from thought_json
where session = :ask ->> 'session' and number = :ask ->> 'thoughtNumber'
