#!/bin/sh
# Runs a command while it holds a lock of shared memory; the command has its FENCE:
#   with-lock.sh progress/plan.md COMMAND...
url=${HORACE_URL:-'http://127.0.0.1:8004/mcp?project=default&client_id=ann'}
call() {
  curl -sS "$url" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2}}"
}
path=$1 && shift
answer=$(call document_lock "{\"path\":\"$path\",\"hold_s\":60,\"wait_ms\":60000}")
FENCE=$(printf %s "$answer" | sed -n 's/.*"structuredContent":{[^}]*"fence":\([0-9]*\).*/\1/p')
[ -n "$FENCE" ] || { echo "$answer" >&2 && exit 1; }
export FENCE
trap 'call document_unlock "{\"path\":\"$path\",\"fence\":$FENCE}" >/dev/null' EXIT
"$@"
