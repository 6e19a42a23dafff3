#!/bin/sh
# Starts the pipeline with its sandbox of the SMS service, runs the tests of this folder against it, and ends it.
# Run it in the folder of your app, which has installed sms-event-pipeline. START has further options of `sms start`.
set -eu

SMS=${SMS:-node_modules/.bin/sms}
TESTS=${TESTS:-*.test.mjs}
PORT=${PORT:-4100}
# The Node of the app, if it has one: the pipeline needs Node 24.
PATH=$PWD/node_modules/.bin:$PATH
START=${START:-}
RUN=$(mktemp -d)

# shellcheck disable=SC2086 # START has several words.
$SMS start --no-demo --no-console --port "$PORT" --dir "$RUN/pipeline" $START > "$RUN/pipeline.log" 2>&1 &
PIPELINE=$!
# Also ends the pipeline if a test fails, or if the job is cancelled. The files of a failed run are kept, because they have the logs.
end() {
  STATUS=$?
  kill "$PIPELINE" 2> /dev/null || true
  wait "$PIPELINE" || true
  LOGS=$RUN/pipeline/logs
  if [ "$STATUS" -ne 0 ] && [ "$STATUS" -ne 130 ] && [ -d "$LOGS" ]; then
    echo "The logs of the run are in $LOGS" >&2
  else
    rm -r "$RUN"
  fi
}
trap end EXIT
trap 'exit 130' INT TERM

# The file is written when everything runs, after about ten seconds.
SECONDS_LEFT=120
until [ -e "$RUN/pipeline/outputs.json" ]; do
  if [ "$SECONDS_LEFT" -eq 0 ] || ! kill -0 "$PIPELINE" 2> /dev/null; then
    cat "$RUN/pipeline.log" >&2
    exit 1
  fi
  SECONDS_LEFT=$((SECONDS_LEFT - 1))
  sleep 1
done

export QUERY_URL="http://127.0.0.1:$PORT/v1" SANDBOX_URL="http://127.0.0.1:$((PORT + 1))"
# shellcheck disable=SC2086 # The pattern names several files.
node --test $TESTS
