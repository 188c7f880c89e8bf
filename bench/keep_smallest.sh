#!/bin/sh
# The test $KEEP_TEST for a reducer that writes its result only when it ends: the smallest candidate
# that is interesting is kept in $KEEP_RESULT, so that a run that is stopped has a result as well.
"$KEEP_TEST" "$1" || exit 1
# Candidates are tested at the same time: one after another here, and renamed into place.
exec 9>>"$KEEP_RESULT.lock"
flock 9
[ -f "$KEEP_RESULT" ] && [ "$(wc -c <"$1")" -ge "$(wc -c <"$KEEP_RESULT")" ] && exit 0
cp "$1" "$KEEP_RESULT.new" && mv "$KEEP_RESULT.new" "$KEEP_RESULT"
exit 0
