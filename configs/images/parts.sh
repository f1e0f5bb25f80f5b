#!/bin/sh
# Puts together what the images are made of, from the built jars in directory $1:
#
#   /opt/jre                a Java runtime with the modules that Joshua uses
#   /opt/joshua              the jars, with the machine code of this platform only
#   /opt/embeddings          the jars of the embedding model; empty if $2 is off
#   /opt/root                what else an image has: /data, as a new volume will be
#
# It runs in the build stage of the Dockerfile.
set -eu
built=$1
embeddings=$2
date=2026-11-21T00:00:00Z

# What jdeps finds in the jars, but for java.desktop and java.compiler, whose classes nothing calls.
modules=java.base,java.instrument,java.logging,java.management,java.naming,java.net.http,java.rmi
modules=$modules,java.security.jgss,java.security.sasl,java.sql,java.xml
modules=$modules,jdk.crypto.ec,jdk.jfr,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs

case $(uname -m) in
  x86_64)
    ours='org/sqlite/native/Linux/x86_64 ai/onnxruntime/native/linux-x64 native/lib/linux-x86_64
      com/sun/jna/linux-x86-64 org/jline/nativ/Linux/x86_64'
    ;;
  aarch64)
    ours='org/sqlite/native/Linux/aarch64 ai/onnxruntime/native/linux-aarch64 native/lib/linux-aarch64
      com/sun/jna/linux-aarch64 org/jline/nativ/Linux/arm64'
    ;;
  *)
    echo "There are images for x86_64 and aarch64; this is $(uname -m)." >&2
    exit 1
    ;;
esac

# Of the directories like $2 in jar $1, keeps those of this platform.
strip_natives() {
  [ -f "$1" ] || { echo "$1 is missing: see configs/images/parts.sh" >&2; exit 1; }
  mkdir /tmp/jar
  (cd /tmp/jar && jar -xf "$1")
  [ -z "$(find /tmp/jar/META-INF -name '*.SF')" ] || { echo "$1 is signed" >&2; exit 1; }
  kept=
  for directory in /tmp/jar/$2; do
    case " $(echo $ours) " in
      *" ${directory#/tmp/jar/} "*) kept=yes ;;
      *) rm -rf "$directory" ;;
    esac
  done
  [ -n "$kept" ] || { echo "$1 has nothing for this platform in $2" >&2; exit 1; }
  jar --create --no-manifest --date="$date" --file "$1" -C /tmp/jar .
  rm -rf /tmp/jar
}

# Takes the signature off jar $1: what is signed can't be in a cache, and nothing here asks for it.
take_signature_off() {
  mkdir /tmp/jar
  (cd /tmp/jar && jar -xf "$1")
  rm /tmp/jar/META-INF/*.SF /tmp/jar/META-INF/*.RSA
  # Without the digests of its entries, which come after the first empty line.
  sed '/^.\?$/q' /tmp/jar/META-INF/MANIFEST.MF >/tmp/manifest
  rm /tmp/jar/META-INF/MANIFEST.MF
  jar --create --manifest /tmp/manifest --date="$date" --file "$1" -C /tmp/jar .
  rm -rf /tmp/jar /tmp/manifest
}

mkdir -p /opt/joshua /opt/embeddings
cp -R "$built/joshua.jar" "$built/lib" /opt/joshua/
cd /opt/joshua/lib
# Its binaries are for who has no Redis.
rm embedded-redis-*.jar
mv joshua-embeddings-*.jar langchain4j-embeddings-*.jar onnxruntime-*.jar tokenizers-*.jar \
  api-0*.jar jna-*.jar commons-compress-*.jar /opt/embeddings/
strip_natives "$(echo /opt/joshua/lib/sqlite-jdbc-*.jar)" 'org/sqlite/native/*/*'
strip_natives "$(echo /opt/joshua/lib/jline-native-*.jar)" 'org/jline/nativ/*/*'
take_signature_off "$(echo /opt/joshua/lib/bcprov-*.jar)"
case $embeddings in
  on)
    strip_natives "$(echo /opt/embeddings/onnxruntime-*.jar)" 'ai/onnxruntime/native/*'
    strip_natives "$(echo /opt/embeddings/tokenizers-*.jar)" 'native/lib/*-*'
    strip_natives "$(echo /opt/embeddings/jna-*.jar)" 'com/sun/jna/*-*'
    ;;
  off) rm -f /opt/embeddings/* ;;
  *)
    echo "EMBEDDINGS is $embeddings; it may be on or off." >&2
    exit 1
    ;;
esac

jlink --add-modules "$modules" --no-header-files --no-man-pages --strip-java-debug-attributes \
  --compress zip-6 --output /opt/jre

# The heap goes by the memory that the container may have.
sed 's/^-Xmx.*/-XX:MaxRAMPercentage=55/' "${0%/*}/jvm.options" >/opt/joshua/java.options
{
  # What there is beside the heap is bounded, too, so that the sum stays below the container's limit:
  # docs/operating/containers.md has it.
  printf '%s\n' -XX:MaxMetaspaceSize=128m -XX:ReservedCodeCacheSize=48m -XX:MaxDirectMemorySize=64m
  # Whoever writes a large answer gives its buffer back rather than keeping it for the next.
  echo '-Djdk.nio.maxCachedBufferSize=262144'
  echo '-Djoshua.home=/opt/joshua'
} >>/opt/joshua/java.options
# A verb of the command line in a container:  java @/opt/joshua/verb at grace clients
{
  sed -e '/^-Xms/d' -e 's/UseG1GC/UseSerialGC/' /opt/joshua/java.options
  printf '%s\n' -XX:TieredStopAtLevel=1 '-jar /opt/joshua/joshua.jar'
} >/opt/joshua/verb
printf '%s\n' -XX:+UseSerialGC -Xmx16m -XX:TieredStopAtLevel=1 '-cp /opt/joshua/joshua.jar' \
  >/opt/joshua/health.options

# Any user may be told to run here, and makes a directory of its own.
mkdir -p /opt/root/data
chmod 1777 /opt/root/data

# The JVM takes a cache only for files of the very time that it was made with, and a builder that
# finds the same bytes in a layer of an earlier build takes those, with their times.
find /opt/jre /opt/joshua /opt/embeddings -exec touch --no-dereference --date="$date" {} +
