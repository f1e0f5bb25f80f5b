#!/bin/sh
# Fetches the libraries of the page again, and writes VENDOR.md: ./vendor.sh, needs npm.
# What is changed in them: imports name the files beside them, and source maps aren't looked for.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# take PACKAGE VERSION LICENCE FILE-IN-PACKAGE NAME
take() {
  if [ ! -d "$work/$1" ]; then
    mkdir -p "$work/$1"
    (cd "$work" && tar xzf "$(npm pack --silent "$1@$2")" -C "$1" --strip-components=1)
  fi
  sed -e 's|"preact/hooks"|"./hooks.js"|g; s|"preact"|"./preact.js"|g' \
    -e 's|"@preact/signals-core"|"./signals-core.js"|g' -e '/^\/\/# sourceMappingURL=/d' \
    "$work/$1/$4" >"$5.js"
  tr -d '\r' <"$work/$1/LICENSE" >"LICENSE-$5.txt"
  echo "| $5.js | $1 $2 | $3 | $(sha256sum <"$5.js" | cut -d ' ' -f 1) |" >>"$work/rows"
}

take preact 11.2.0 MIT dist/preact.mjs preact
take preact 11.2.0 MIT hooks/dist/hooks.mjs hooks
take htm 3.1.1 Apache-2.0 dist/htm.mjs htm
take @preact/signals 2.11.4 MIT dist/signals.mjs signals
take @preact/signals-core 1.14.5 MIT dist/signals-core.mjs signals-core
mv LICENSE-hooks.txt LICENSE-preact.txt

cat >VENDOR.md - "$work/rows" <<'END'
# What others wrote

Made by `vendor.sh` from the npm registry. Each licence's text is in `LICENSE-NAME.txt`; that of `hooks.js` is Preact's.

| file | package | licence | SHA-256 |
|---|---|---|---|
END
