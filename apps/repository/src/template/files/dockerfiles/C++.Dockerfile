FROM gcc:14 AS build
WORKDIR /src
COPY . .
RUN cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel

FROM debian:12-slim
COPY --from=build /src/build/app /usr/local/bin/app
USER nobody
CMD ["app"]
