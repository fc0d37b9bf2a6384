import { pipeline } from './pipeline-text';

/** Of languages and frameworks: they build and test, to start from. */
export const ofLanguages: Readonly<Record<string, string>> = {
  Android: pipeline(`
image: cimg/android:2024.11

variables:
  GRADLE_USER_HOME: "$CI_PROJECT_DIR/.gradle"

cache:
  paths: [.gradle/caches, .gradle/wrapper]

build:
  script:
    - ./gradlew --no-daemon lintDebug testDebugUnitTest assembleDebug
  artifacts:
    paths: [app/build/outputs/]
    expire_in: 1 week`),
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
  Clojure: pipeline(`
image: clojure:temurin-21-lein

variables:
  LEIN_HOME: "$CI_PROJECT_DIR/.lein"

cache:
  paths: [.lein, .m2]

test:
  script:
    - lein deps
    - lein test`),
  Composer: pipeline(`
image: composer:2

publish:
  stage: deploy
  script:
    - composer validate --strict
    - >
      curl --fail --header "JOB-TOKEN: $CI_JOB_TOKEN" --upload-file composer.json
      "$CI_API_V4_URL/projects/$CI_PROJECT_ID/packages/generic/$CI_PROJECT_NAME/$CI_COMMIT_TAG/composer.json"
  rules:
    - if: '$CI_COMMIT_TAG'`),
  Crystal: pipeline(`
image: crystallang/crystal:latest

cache:
  paths: [lib]

test:
  script:
    - shards install
    - crystal tool format --check
    - crystal spec`),
  Dart: pipeline(`
image: dart:stable

variables:
  PUB_CACHE: "$CI_PROJECT_DIR/.pub-cache"

cache:
  paths: [.pub-cache]

test:
  script:
    - dart pub get
    - dart format --output=none --set-exit-if-changed .
    - dart analyze --fatal-infos
    - dart test`),
  Django: pipeline(`
image: python:3.12
services: [postgres:17]

variables:
  POSTGRES_DB: app
  POSTGRES_PASSWORD: app
  DATABASE_URL: postgres://postgres:app@postgres/app
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.pip"

cache:
  paths: [.pip]

test:
  script:
    - pip install -r requirements.txt
    - python manage.py check
    - python manage.py migrate
    - python manage.py test`),
  dotNET: pipeline(`
image: mcr.microsoft.com/dotnet/sdk:8.0

test:
  script:
    - dotnet restore
    - dotnet build --no-restore
    - dotnet test --no-build`),
  'dotNET-Core': pipeline(`
image: mcr.microsoft.com/dotnet/sdk:8.0

test:
  script:
    - dotnet restore
    - dotnet build --no-restore
    - dotnet test --no-build`),
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
  Flutter: pipeline(`
image: ghcr.io/cirruslabs/flutter:stable

build:
  script:
    - flutter pub get
    - flutter analyze
    - flutter test --coverage
    - flutter build web
  artifacts:
    paths: [build/web/]
    expire_in: 1 week`),
  'Getting-Started': pipeline(`
# Three stages, one after the other; jobs of a stage run side by side.
stages: [build, test, deploy]

build:
  stage: build
  script:
    - echo "Compile here, and keep what comes out." > built.txt
  artifacts:
    paths: [built.txt]

unit:
  stage: test
  script:
    - echo "Test what the stage before has built."
    - cat built.txt

lint:
  stage: test
  script:
    - echo "Look at the code itself."

deploy:
  stage: deploy
  environment: production
  script:
    - echo "Bring $CI_COMMIT_SHORT_SHA to where people use it."
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
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
  Grails: pipeline(`
image: gradle:8-jdk17

variables:
  GRADLE_USER_HOME: "$CI_PROJECT_DIR/.gradle"

cache:
  paths: [.gradle/caches]

test:
  script:
    - gradle --no-daemon check assemble
  artifacts:
    when: always
    reports:
      junit: build/test-results/**/*.xml`),
  Julia: pipeline(`
image: julia:1.11

variables:
  JULIA_DEPOT_PATH: "$CI_PROJECT_DIR/.julia"

cache:
  paths: [.julia]

test:
  script:
    - julia --project=. -e 'using Pkg; Pkg.instantiate(); Pkg.test(coverage=true)'`),
  Laravel: pipeline(`
image: composer:2
services: [mysql:8]

variables:
  MYSQL_DATABASE: app
  MYSQL_ROOT_PASSWORD: app
  DB_HOST: mysql
  DB_DATABASE: app
  DB_USERNAME: root
  DB_PASSWORD: app

cache:
  paths: [vendor]

test:
  script:
    - cp .env.example .env
    - composer install --no-interaction --prefer-dist
    - php artisan key:generate
    - php artisan migrate --force
    - php artisan test`),
  LaTeX: pipeline(`
image: texlive/texlive:latest

build:
  script:
    - latexmk -pdf -interaction=nonstopmode -halt-on-error *.tex
  artifacts:
    paths: ['*.pdf']`),
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
  Mono: pipeline(`
image: mono:6

test:
  script:
    - nuget restore
    - msbuild /p:Configuration=Release
    - mono packages/NUnit.ConsoleRunner.*/tools/nunit3-console.exe */bin/Release/*Tests.dll`),
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
  Nodejs: pipeline(`
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
  npm: pipeline(`
image: node:22

publish:
  stage: deploy
  script:
    - npm ci
    - npm test
    - tar -czf package.tgz --exclude=node_modules --exclude=.git .
    - >
      curl --fail --header "JOB-TOKEN: $CI_JOB_TOKEN" --upload-file package.tgz
      "$CI_API_V4_URL/projects/$CI_PROJECT_ID/packages/generic/$CI_PROJECT_NAME/$CI_COMMIT_TAG/package.tgz"
  rules:
    - if: '$CI_COMMIT_TAG'`),
  Packer: pipeline(`
image:
  name: hashicorp/packer:latest
  entrypoint: ['']

stages: [check, build]

validate:
  stage: check
  script:
    - packer init .
    - packer validate .

build:
  stage: build
  script:
    - packer init .
    - packer build .
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
      when: manual`),
  PHP: pipeline(`
image: composer:2

cache:
  paths: [vendor]

test:
  script:
    - composer install --no-interaction --prefer-dist
    - vendor/bin/phpunit`),
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
  Scala: pipeline(`
image: sbtscala/scala-sbt:eclipse-temurin-21.0.5_11_1.10.7_3.6.2

variables:
  SBT_OPTS: "-Dsbt.global.base=$CI_PROJECT_DIR/.sbt -Dsbt.ivy.home=$CI_PROJECT_DIR/.ivy2"

cache:
  paths: [.sbt, .ivy2]

test:
  script:
    - sbt -batch scalafmtCheckAll test
  artifacts:
    when: always
    reports:
      junit: target/test-reports/*.xml`),
  Swift: pipeline(`
image: swift:6.0

cache:
  paths: [.build]

test:
  script:
    - swift build
    - swift test`),
  Terraform: pipeline(`
image:
  name: hashicorp/terraform:1.9
  entrypoint: ['']

variables:
  TF_IN_AUTOMATION: 'true'
  TF_ROOT: .

cache:
  key: "$CI_COMMIT_REF_SLUG"
  paths: ["$TF_ROOT/.terraform/"]

stages: [check, plan, apply]

check:
  stage: check
  script:
    - terraform -chdir="$TF_ROOT" fmt -check -recursive
    - terraform -chdir="$TF_ROOT" init -input=false -backend=false
    - terraform -chdir="$TF_ROOT" validate

plan:
  stage: plan
  script:
    - terraform -chdir="$TF_ROOT" init -input=false
    - terraform -chdir="$TF_ROOT" plan -input=false -out=plan.cache
  artifacts:
    paths: ["$TF_ROOT/plan.cache"]
    expire_in: 1 day

apply:
  stage: apply
  resource_group: terraform
  script:
    - terraform -chdir="$TF_ROOT" init -input=false
    - terraform -chdir="$TF_ROOT" apply -input=false plan.cache
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
      when: manual`),
};
