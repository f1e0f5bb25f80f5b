# Runs redis-server ($1) with a configuration ($2) and a stack of so many KiB at most ($3), and stops
# it when standard input ends: the other end of that pipe is held by the JVM, so it ends with the
# JVM, however that ends.
exec 3<&0 </dev/null

(
  { ulimit -S -s "$3" || ulimit -S -s "$(ulimit -H -s)"; } 2>/dev/null
  exec "$1" "$2"
) 3<&- &
redis=$!

(
  while read -r line; do :; done
  kill -TERM "$redis"
  sleep 2
  kill -KILL "$redis"
) <&3 >/dev/null 2>&1 3<&- &
guard=$!

exec 3<&-
echo "watchdog: redis-server is process $redis"
wait "$redis"
status=$?
kill "$guard" 2>/dev/null
exit "$status"
