#!/bin/sh
# Two different workers hold the lock of the ledger, and it is never released in between.
exec awk '
  /lock ledger taken by worker [0-9]+$/ { if (holder != "" && holder != $NF) found = 1; holder = $NF }
  /lock ledger released/ { holder = "" }
  END { exit !found }
' "${1:-input.log}"
