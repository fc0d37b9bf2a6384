import { pipeline } from './pipeline-text';

/** Of generators of sites, whose job `pages` leaves the site in `public`. */
export const ofPages: Readonly<Record<string, string>> = {
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
  'Pages/Astro': pipeline(`
image: node:22

cache:
  paths: [.npm]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx astro build --outDir public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Docusaurus': pipeline(`
image: node:22

cache:
  paths: [.npm]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx docusaurus build --out-dir public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Doxygen': pipeline(`
image: alpine:3.21

pages:
  stage: deploy
  script:
    - apk add --no-cache doxygen graphviz font-dejavu
    - doxygen Doxyfile
    - mv html public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Eleventy': pipeline(`
image: node:22

cache:
  paths: [.npm]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx @11ty/eleventy --output=public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Gatsby': pipeline(`
image: node:22

cache:
  paths: [.npm, .cache, public]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx gatsby build --prefix-paths
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Hexo': pipeline(`
image: node:22

cache:
  paths: [.npm]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx hexo generate
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/HTML': pipeline(`
image: busybox

pages:
  stage: deploy
  script:
    - mkdir .public
    - cp -r * .public
    - mv .public public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Hugo': pipeline(`
image: hugomods/hugo:latest

pages:
  stage: deploy
  script:
    - hugo --minify --destination public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Jekyll': pipeline(`
image: ruby:3.3

variables:
  BUNDLE_PATH: vendor/bundle
  JEKYLL_ENV: production

cache:
  paths: [vendor/bundle]

pages:
  stage: deploy
  script:
    - bundle install --jobs 4
    - bundle exec jekyll build --destination public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Middleman': pipeline(`
image: ruby:3.3

variables:
  BUNDLE_PATH: vendor/bundle

cache:
  paths: [vendor/bundle]

pages:
  stage: deploy
  script:
    - bundle install --jobs 4
    - bundle exec middleman build
    - mv build public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/MkDocs': pipeline(`
image: python:3.12

variables:
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.pip"

cache:
  paths: [.pip]

pages:
  stage: deploy
  script:
    - pip install -r requirements.txt
    - mkdocs build --strict --site-dir public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Pelican': pipeline(`
image: python:3.12

variables:
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.pip"

cache:
  paths: [.pip]

pages:
  stage: deploy
  script:
    - pip install -r requirements.txt
    - pelican content --output public --settings publishconf.py
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/Sphinx': pipeline(`
image: python:3.12

variables:
  PIP_CACHE_DIR: "$CI_PROJECT_DIR/.pip"

cache:
  paths: [.pip]

pages:
  stage: deploy
  script:
    - pip install sphinx
    - sphinx-build -W -b html docs public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/SwaggerUI': pipeline(`
image: node:22

pages:
  stage: deploy
  script:
    - npm install --prefix .swagger swagger-ui-dist
    - cp -r .swagger/node_modules/swagger-ui-dist public
    - cp openapi.json public/
    - sed -i 's#https://petstore.swagger.io/v2/swagger.json#openapi.json#' public/swagger-initializer.js
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
  'Pages/VuePress': pipeline(`
image: node:22

cache:
  paths: [.npm]

pages:
  stage: deploy
  script:
    - npm ci --cache .npm --prefer-offline
    - npx vuepress build docs --dest public
  artifacts:
    paths: [public]
  rules:
    - if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'`),
};
