-- How many messages a second there are now, and in this hour and the one before.
-- phrasing: rate|throughput / message messages current bus traffic is right now of
-- phrasing: messages|msgs|traffic + second|sec / per a current bus right now are is doing
-- one: {per_second} messages a second in the last ten seconds; {this_hour} in this hour, {hour_before} in the one before.
select per_second,
  (select coalesce(sum(messages), 0) from traffic
   where hour_at = until_at - until_at % 3600000) as this_hour,
  (select coalesce(sum(messages), 0) from traffic
   where hour_at = until_at - until_at % 3600000 - 3600000) as hour_before,
  until_at as seen_until_at
from watermark, watched
