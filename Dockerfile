# One image for every service; docker-compose.yml says which of them a container runs.
FROM eclipse-temurin:25-jdk AS build
COPY . /src
# The launcher builds unless what is there already is up to date.
RUN /src/joshua --version \
  && mkdir /joshua && cp -r /src/app/target/joshua.jar /src/app/target/lib /src/configs/jvm.options /joshua/

FROM eclipse-temurin:25-jre
COPY --from=build /joshua /joshua
COPY configs/joshua-in-container /usr/local/bin/joshua
# What is kept; it may belong to any user.
RUN mkdir /data && chmod 1777 /data
ENV JOSHUA_DATA_DIR=/data
USER 10001:10001
WORKDIR /work
VOLUME /data
ENTRYPOINT ["joshua"]
CMD ["up"]
