# One image for every service; docker-compose.yml says which of them a container runs. It holds the package.
FROM eclipse-temurin:25-jdk AS build
COPY . /src
# The launcher builds unless what is there already is up to date.
RUN /src/joshua package /joshua

FROM debian:bookworm-slim
COPY --from=build /joshua /joshua
# What is kept; it may belong to any user.
RUN ln -s /joshua/bin/joshua /usr/local/bin/joshua && mkdir /data && chmod 1777 /data
ENV LANG=C.UTF-8 JOSHUA_DATA_DIR=/data
USER 10001:10001
WORKDIR /work
VOLUME /data
ENTRYPOINT ["joshua"]
CMD ["up"]
