#!/bin/sh
# The browser of `make test-browser`: the system's Chromium, Debian's package where there is none. Playwright's own builds are not fetched.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "no Chromium here; install it (Debian: apt-get install chromium), then run make test-browser again" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null
