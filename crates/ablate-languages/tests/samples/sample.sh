#!/bin/bash
# A sample.
set -eu
limit=10 names=(one "two $limit" three)

greet() {
  local name="${1:-nobody}"
  echo "hello $name" | tr a-z A-Z > /dev/null 2>&1
  return 0
}

for name in "${names[@]}"; do
  if [[ $name == t* && -n "$name" ]]; then greet "$name"; else continue; fi
done
while read -r line; do case "$line" in a|b) echo $((limit + 1));; *) break;; esac; done < <(printf 'a\n')
cat <<END
limit is $(echo $limit)
END
