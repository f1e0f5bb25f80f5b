#!/bin/sh
# Starts each MAD once, as its image does, on the Redis of the built jars in directory $1, and keeps
# what the JVM has learnt as /opt/aot/MAD/joshua.aot: a cache that fits exactly that runtime, those
# flags and that class path. It runs in the build stage of the Dockerfile.
set -eu
built=$1

case $(uname -m) in
  x86_64) binary=linux-amd64 ;;
  aarch64) binary=linux-arm64 ;;
esac
mkdir -p /tmp/training/ssh
cd /tmp/training
jar -xf "$(echo "$built"/lib/embedded-redis-*.jar)"
mv redis-server-*-$binary redis-server
chmod +x redis-server
echo only-while-training >password
# A key whose private half is gone: without one a MAD doesn't listen for SSH, and wouldn't learn to.
echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDdssXhPQNzm/3knV538caIfTtbejtOVdAct5Q2Kq4mt nobody' >ssh/authorized_keys
chmod 700 ssh
chmod 600 ssh/authorized_keys
./redis-server --bind 127.0.0.1 --requirepass only-while-training --save '' >redis.log 2>&1 &
redis=$!

export JOSHUA_REDIS_URL=redis://127.0.0.1:6379
export JOSHUA_REDIS_PASSWORD_FILE=/tmp/training/password
export JOSHUA_SSH_AUTHORIZED_KEYS=/tmp/training/ssh/authorized_keys
export JOSHUA_DATA_DIR=/tmp/training/data
export JOSHUA_LOG_LEVEL=error

# The heap is a container's, whatever this machine has: the cache depends on how objects look in it.
# Classes take more room while a cache is made of them than with it.
train() {
  mkdir -p "/opt/aot/$1"
  cache=/opt/aot/$1/joshua.aot
  if ! /opt/jre/bin/java @/opt/joshua/java.options -Xmx768m -XX:MaxMetaspaceSize=512m -XX:AOTCacheOutput="$cache" \
    -Djoshua.end-once-started=true -jar /opt/joshua/joshua.jar "$1" >log 2>&1 || [ ! -f "$cache" ]; then
    cat log >&2
    echo "$1 could not be started." >&2
    exit 1
  fi
}

# What an image is made of: its SBOM and the notices of its libraries.
list_parts() {
  java -cp "$built/lib/*" "${0%/*}/PartsList.java" image "$sbom" /opt/joshua/lib /opt/jre/release "/opt/aot/$1"
}
jar -xf /opt/joshua/joshua.jar META-INF/sbom/joshua.cdx.json
sbom=$PWD/META-INF/sbom/joshua.cdx.json

# Grace reads no questions: her image, and so her class path, is without the embedding model.
train grace
list_parts grace
cp -Rp /opt/embeddings/. /opt/joshua/lib
train fiedler
train rogers
list_parts fiedler
list_parts rogers
for jar in /opt/embeddings/*; do
  rm -f "/opt/joshua/lib/${jar##*/}"
done
kill "$redis"
rm -rf /tmp/training
