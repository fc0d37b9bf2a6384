const pipeline = (lines: string): string => `${lines.trim()}\n`;

/** Ours, by name: a pipeline that builds and tests, to start from. */
export const ciFiles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: pipeline(`
image: bash:5

stages: [check, test]

syntax:
  stage: check
  script:
    - find . -name '*.sh' -print0 | xargs -0 -n 1 bash -n

test:
  stage: test
  script:
    - ./test.sh`),
    'C++': pipeline(`
image: gcc:14

build:
  stage: build
  before_script:
    - apt-get update && apt-get install -y cmake
  script:
    - cmake -S . -B build
    - cmake --build build --parallel
    - ctest --test-dir build --output-on-failure
  artifacts:
    paths: [build/]
    expire_in: 1 week`),
    Crystal: pipeline(`
image: crystallang/crystal:latest

cache:
  paths: [lib]

test:
  script:
    - shards install
    - crystal tool format --check
    - crystal spec`),
    Docker: pipeline(`
image: docker:27
services: [docker:27-dind]

build:
  stage: build
  script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
    - docker build --pull -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_REF_SLUG" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_REF_SLUG"`),
    Elixir: pipeline(`
image: elixir:1.17

cache:
  paths: [deps, _build]

test:
  script:
    - mix local.hex --force && mix local.rebar --force
    - mix deps.get
    - mix format --check-formatted
    - mix test`),
    Go: pipeline(`
image: golang:1.23

stages: [check, test, build]

vet:
  stage: check
  script:
    - test -z "$(gofmt -l .)"
    - go vet ./...

test:
  stage: test
  script:
    - go test -race ./...

build:
  stage: build
  script:
    - go build -o app .
  artifacts:
    paths: [app]`),
    Gradle: pipeline(`
image: gradle:8-jdk21

variables:
  GRADLE_USER_HOME: "$CI_PROJECT_DIR/.gradle"

cache:
  paths: [.gradle/caches, .gradle/wrapper]

test:
  stage: test
  script:
    - gradle --no-daemon check
  artifacts:
    when: always
    reports:
      junit: build/test-results/test/*.xml`),
    Maven: pipeline(`
image: maven:3-eclipse-temurin-21

variables:
  MAVEN_OPTS: "-Dmaven.repo.local=$CI_PROJECT_DIR/.m2/repository"

cache:
  paths: [.m2/repository]

verify:
  stage: test
  script:
    - mvn --batch-mode verify
  artifacts:
    when: always
    reports:
      junit: target/surefire-reports/*.xml`),
    Node: pipeline(`
image: node:22

cache:
  key:
    files: [package-lock.json]
  paths: [.npm]

test:
  stage: test
  script:
    - npm ci --cache .npm --prefer-offline
    - npm run lint --if-present
    - npm test`),
    PHP: pipeline(`
image: composer:2

cache:
  paths: [vendor]

test:
  script:
    - composer install --no-interaction --prefer-dist
    - vendor/bin/phpunit`),
    Pages: pipeline(`
image: busybox

pages:
  stage: deploy
  script:
    - mkdir -p public
    - cp -r index.html assets public/
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
    Python: pipeline(`
image: python:3.12

variables:
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.pip"

cache:
  paths: [.pip]

test:
  stage: test
  script:
    - python -m venv .venv
    - . .venv/bin/activate
    - pip install -r requirements.txt pytest
    - pytest --junitxml=report.xml
  artifacts:
    when: always
    reports:
      junit: report.xml`),
    Ruby: pipeline(`
image: ruby:3.3

variables:
  BUNDLE_PATH: vendor/bundle

cache:
  paths: [vendor/bundle]

test:
  script:
    - bundle install --jobs 4
    - bundle exec rake test`),
    Rust: pipeline(`
image: rust:1.81

variables:
  CARGO_HOME: "$CI_PROJECT_DIR/.cargo"

cache:
  paths: [.cargo/registry, target]

test:
  script:
    - rustup component add rustfmt clippy
    - cargo fmt --check
    - cargo clippy -- -D warnings
    - cargo test --locked`),
    dotNET: pipeline(`
image: mcr.microsoft.com/dotnet/sdk:8.0

test:
  script:
    - dotnet restore
    - dotnet build --no-restore
    - dotnet test --no-build`),
  }),
);
