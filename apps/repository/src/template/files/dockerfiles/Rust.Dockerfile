FROM rust:1.81-slim AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:12-slim
COPY --from=build /src/target/release/app /usr/local/bin/app
USER nobody
CMD ["app"]
