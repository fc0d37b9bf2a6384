FROM elixir:1.17-alpine AS build
ENV MIX_ENV=prod
WORKDIR /src
COPY mix.exs mix.lock ./
RUN mix local.hex --force && mix local.rebar --force && mix deps.get --only prod
COPY . .
RUN mix release app

FROM alpine:3.20
RUN apk add --no-cache libstdc++ ncurses-libs openssl
COPY --from=build /src/_build/prod/rel/app /app
USER nobody
CMD ["/app/bin/app", "start"]
