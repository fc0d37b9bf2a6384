const build = (lines: string): string => `${lines.trim()}\n`;

/** Ours, by name: each small, with a user of its own where the image has none. */
export const dockerfiles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Alpine: build(`
FROM alpine:3.20
RUN addgroup -S app && adduser -S app -G app
WORKDIR /app
COPY . .
USER app
CMD ["./run.sh"]`),
    'C++': build(`
FROM gcc:14 AS build
WORKDIR /src
COPY . .
RUN cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel

FROM debian:12-slim
COPY --from=build /src/build/app /usr/local/bin/app
USER nobody
CMD ["app"]`),
    Debian: build(`
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
RUN useradd --system --create-home app
WORKDIR /home/app
COPY --chown=app . .
USER app
CMD ["./run.sh"]`),
    Elixir: build(`
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
CMD ["/app/bin/app", "start"]`),
    Go: build(`
FROM golang:1.23-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /app .

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /app /app
USER 65534
ENTRYPOINT ["/app"]`),
    HTML: build(`
FROM nginx:1.27-alpine
COPY . /usr/share/nginx/html`),
    'Java-Gradle': build(`
FROM gradle:8-jdk21 AS build
WORKDIR /src
COPY . .
RUN gradle --no-daemon bootJar

FROM eclipse-temurin:21-jre
COPY --from=build /src/build/libs/*.jar /app.jar
USER nobody
CMD ["java", "-jar", "/app.jar"]`),
    'Java-Maven': build(`
FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY pom.xml .
RUN mvn --batch-mode dependency:go-offline
COPY src src
RUN mvn --batch-mode package -DskipTests

FROM eclipse-temurin:21-jre
COPY --from=build /src/target/*.jar /app.jar
USER nobody
CMD ["java", "-jar", "/app.jar"]`),
    Node: build(`
FROM node:22-alpine
ENV NODE_ENV=production
WORKDIR /app
COPY package*.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .
USER node
EXPOSE 3000
CMD ["node", "index.js"]`),
    PHP: build(`
FROM composer:2 AS vendor
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-interaction --optimize-autoloader

FROM php:8.3-apache
COPY . /var/www/html
COPY --from=vendor /app/vendor /var/www/html/vendor`),
    Python: build(`
FROM python:3.12-slim
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
RUN useradd --system app
USER app
CMD ["python", "main.py"]`),
    Ruby: build(`
FROM ruby:3.3-slim
RUN apt-get update && apt-get install -y --no-install-recommends build-essential && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle config set --local without "development test" && bundle install
COPY . .
RUN useradd --system app
USER app
CMD ["bundle", "exec", "ruby", "app.rb"]`),
    Rust: build(`
FROM rust:1.81-slim AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:12-slim
COPY --from=build /src/target/release/app /usr/local/bin/app
USER nobody
CMD ["app"]`),
    dotNET: build(`
FROM mcr.microsoft.com/dotnet/sdk:8.0 AS build
WORKDIR /src
COPY . .
RUN dotnet publish -c Release -o /app

FROM mcr.microsoft.com/dotnet/aspnet:8.0
WORKDIR /app
COPY --from=build /app .
USER app
ENTRYPOINT ["dotnet", "app.dll"]`),
  }),
);
