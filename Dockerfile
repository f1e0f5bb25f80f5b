# The images of the MADs, one target each:  docker build --target grace .
#
#   --build-arg JARS=built       takes app/target as it is (./joshua prepare), and needs no network
#   --build-arg EMBEDDINGS=off   leaves the embedding model out: questions are read by DTR alone
#
#   --build-arg BASE_BUILD=…     another base to build on, by digest for instance: configs/images/pin
#   --build-arg BASE_RUNTIME=…   another base of the image itself
ARG JARS=source
ARG BASE_BUILD=eclipse-temurin:25-jdk
ARG BASE_RUNTIME=debian:bookworm-slim

# Of these two stages only the one that JARS names does anything.
FROM ${BASE_BUILD} AS jars-source
ONBUILD COPY pom.xml mvnw /src/
ONBUILD COPY .mvn /src/.mvn
ONBUILD COPY examples /src/examples
ONBUILD COPY bench /src/bench
ONBUILD COPY e2e /src/e2e
ONBUILD COPY house-rules /src/house-rules
ONBUILD COPY libs /src/libs
ONBUILD COPY mads /src/mads
ONBUILD COPY app /src/app
ONBUILD RUN cd /src && rm -rf app/target \
  && ./mvnw -B -q -Dquick -Dmaven.test.skip=true -pl app -am package && mv app/target /built \
  && rm -rf /src "$HOME/.m2"

FROM ${BASE_BUILD} AS jars-built
ONBUILD COPY app/target/joshua.jar /built/
ONBUILD COPY app/target/lib /built/lib

FROM jars-${JARS} AS build
ARG EMBEDDINGS=on
COPY configs/jvm.options configs/images/parts.sh configs/images/PartsList.java /build/
RUN sh /build/parts.sh /built "$EMBEDDINGS"
COPY configs/images/train.sh /build/
RUN sh /build/train.sh /built

# What every image has.
FROM ${BASE_RUNTIME} AS mad
COPY --from=build /opt/jre /opt/jre
COPY --from=build /opt/joshua /opt/joshua
COPY --from=build /opt/root /
COPY LICENSE /opt/joshua/

ENV PATH=/opt/jre/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 JOSHUA_DATA_DIR=/data/joshua
WORKDIR /opt/joshua
USER 10001:10001
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["java", "@/opt/joshua/java.options", "-XX:AOTCache=/opt/joshua/joshua.aot", "-jar", "/opt/joshua/joshua.jar"]

ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.licenses="Apache-2.0"

FROM mad AS grace
COPY --from=build /opt/aot/grace /opt/joshua
ENV JOSHUA_GRACE_SSH_PORT=2222
EXPOSE 8000 2222
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["java", "@/opt/joshua/health.options", "joshua.app.HealthProbe", "JOSHUA_GRACE_PORT", "8000"]
CMD ["grace"]
LABEL org.opencontainers.image.title="Joshua: Grace" \
  org.opencontainers.image.description="The relay: a queue per client that can only call tools"

FROM mad AS fiedler
COPY --from=build /opt/embeddings /opt/joshua/lib
COPY --from=build /opt/aot/fiedler /opt/joshua
ENV JOSHUA_FIEDLER_SSH_PORT=2222
EXPOSE 8001 2222
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["java", "@/opt/joshua/health.options", "joshua.app.HealthProbe", "JOSHUA_FIEDLER_PORT", "8001"]
CMD ["fiedler"]
LABEL org.opencontainers.image.title="Joshua: Fiedler" \
  org.opencontainers.image.description="The orchestrator: long work that answers at once, streams, and survives"

FROM mad AS rogers
COPY --from=build /opt/embeddings /opt/joshua/lib
COPY --from=build /opt/aot/rogers /opt/joshua
ENV JOSHUA_ROGERS_SSH_PORT=2222
EXPOSE 8002 2222
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["java", "@/opt/joshua/health.options", "joshua.app.HealthProbe", "JOSHUA_ROGERS_PORT", "8002"]
CMD ["rogers"]
LABEL org.opencontainers.image.title="Joshua: Rogers" \
  org.opencontainers.image.description="The bus monitor: who is there, what flows, what was lost"
