import { pipeline } from './pipeline-text';

/** Parts to include, and what is made of them. */
export const ofParts: Readonly<Record<string, string>> = {
  'Auto-DevOps': pipeline(`
# Builds an image, tests it, and looks at the code. Each part can be included by itself.
include:
  - template: Jobs/Build.gitlab-ci.yml
  - template: Jobs/Code-Quality.gitlab-ci.yml
  - template: Security/SAST.gitlab-ci.yml
  - template: Security/Secret-Detection.gitlab-ci.yml

stages: [build, test, deploy]

workflow:
  rules:
    - if: '$CI_COMMIT_TAG'
    - if: '$CI_COMMIT_BRANCH'`),
  Docker: pipeline(`
image: docker:27
services: [docker:27-dind]

build:
  stage: build
  script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
    - docker build --pull -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_REF_SLUG" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_REF_SLUG"`),
  'Jobs/Build': pipeline(`
build:
  stage: build
  image: docker:27
  services: [docker:27-dind]
  script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
    - docker build --pull -t "$CI_REGISTRY_IMAGE/$CI_COMMIT_REF_SLUG:$CI_COMMIT_SHA" .
    - docker push "$CI_REGISTRY_IMAGE/$CI_COMMIT_REF_SLUG:$CI_COMMIT_SHA"
  rules:
    - if: '$BUILD_DISABLED'
      when: never
    - if: '$CI_COMMIT_BRANCH'`),
  'Jobs/Code-Quality': pipeline(`
code_quality:
  stage: test
  image: megalinter/megalinter:v8
  allow_failure: true
  variables:
    DEFAULT_WORKSPACE: "$CI_PROJECT_DIR"
  script:
    - /entrypoint.sh
  artifacts:
    when: always
    paths: [megalinter-reports/]
    expire_in: 1 week
  rules:
    - if: '$CODE_QUALITY_DISABLED'
      when: never
    - if: '$CI_COMMIT_BRANCH'`),
  Kaniko: pipeline(`
build:
  stage: build
  image:
    name: gcr.io/kaniko-project/executor:debug
    entrypoint: ['']
  script:
    - mkdir -p /kaniko/.docker
    - >
      printf '{"auths":{"%s":{"username":"%s","password":"%s"}}}'
      "$CI_REGISTRY" "$CI_REGISTRY_USER" "$CI_REGISTRY_PASSWORD" > /kaniko/.docker/config.json
    - >
      /kaniko/executor --context "$CI_PROJECT_DIR" --dockerfile "$CI_PROJECT_DIR/Dockerfile"
      --destination "$CI_REGISTRY_IMAGE:$CI_COMMIT_REF_SLUG"`),
  'Security/SAST': pipeline(`
sast:
  stage: test
  image: semgrep/semgrep:latest
  allow_failure: true
  script:
    - semgrep scan --config auto --gitlab-sast --output gl-sast-report.json
  artifacts:
    when: always
    reports:
      sast: gl-sast-report.json
  rules:
    - if: '$SAST_DISABLED'
      when: never
    - if: '$CI_COMMIT_BRANCH'`),
  'Security/Secret-Detection': pipeline(`
secret_detection:
  stage: test
  image: semgrep/semgrep:latest
  allow_failure: true
  script:
    - semgrep scan --config p/secrets --gitlab-secrets --output gl-secret-detection-report.json
  artifacts:
    when: always
    reports:
      secret_detection: gl-secret-detection-report.json
  rules:
    - if: '$SECRET_DETECTION_DISABLED'
      when: never
    - if: '$CI_COMMIT_BRANCH'`),
  'Workflows/Branch-Pipelines': pipeline(`
# Pipelines of branches and tags, and none of merge requests.
workflow:
  rules:
    - if: '$CI_COMMIT_TAG'
    - if: '$CI_COMMIT_BRANCH'`),
  'Workflows/MergeRequest-Pipelines': pipeline(`
# Pipelines of merge requests, tags and the default branch.
workflow:
  rules:
    - if: '$CI_MERGE_REQUEST_IID'
    - if: '$CI_COMMIT_TAG'
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
};
