import { coverageOf, coveragePattern } from './coverage-pattern';
import { usualLimits } from './file-limits';
import { parsePipelineFile } from './parse-pipeline-file';

const parse = (lines: string) => parsePipelineFile(lines);

describe('parsePipelineFile', () => {
  it('reads jobs with their inherited keywords', () => {
    const file = parse(`
default:
  before_script: [echo before]
  tags: [linux]
variables: { COLOUR: red, COUNT: 3, LONG: { value: x, description: what for } }
build:
  stage: build
  image: node:20
  script:
    - make
    - make check
  timeout: 1h 30m
test:
  before_script: []
  script: make test
  allow_failure: true
  needs: [build]
`);
    expect(file.stages).toEqual(['.pre', 'build', 'test', 'deploy', '.post']);
    expect(file.variables).toEqual({ COLOUR: 'red', COUNT: '3', LONG: 'x' });
    expect(file.jobs).toMatchObject([
      {
        name: 'build',
        stage: 'build',
        tags: ['linux'],
        spec: { script: ['echo before', 'make', 'make check'], image: { name: 'node:20' }, timeoutSeconds: 5400 },
      },
      {
        name: 'test',
        stage: 'test',
        allowFailure: true,
        needs: [{ job: 'build', isOptional: false }],
        spec: { script: ['make test'] },
      },
    ]);
  });

  it('reads scalars as YAML 1.1 has them, but for dates and numbers to the base of 60', () => {
    const file = `variables: { A: yes, B: Off, C: 0755, D: 2026-01-02, E: 22:22, F: y, G: 1_000, H: "no", I: 0x10, J: 1.10, K: ~, L: ., M: .inf, N: 1e3, O: -.5, P: _ }
a: { script: x, allow_failure: yes, interruptible: ON }
b: { script: x, allow_failure: no }`;
    const { variables, jobs } = parse(file);
    const scalars = {
      A: 'true',
      B: 'false',
      C: '493',
      D: '2026-01-02',
      E: '22:22',
      F: 'y',
      G: '1000',
      H: 'no',
      I: '16',
    };
    expect(variables).toEqual({ ...scalars, J: '1.1', K: '', L: '.', M: '.inf', N: '1000', O: '-0.5', P: '_' });
    expect(jobs).toMatchObject([{ allowFailure: true, isInterruptible: true }, { allowFailure: false }]);
  });

  it('accepts a dependency of the same stage', () => {
    const { jobs } = parse('a: { script: x }\nb: { script: x, dependencies: [a] }');
    expect(jobs[1]!.spec.artifactsFrom).toEqual(['a']);
  });

  it('reads lists in the lists of rules', () => {
    const nested = `.deep: [{ if: $A }, [{ if: $B }]]
.rules: [!reference [.deep], [[{ if: $C }]]]
workflow: { rules: [!reference [.rules]] }
a: { script: x, rules: [!reference [.rules], { if: $D }] }`;
    const { jobs, workflow } = parse(nested);
    expect(jobs[0]!.rules!.map((rule) => rule.if)).toEqual(['$A', '$B', '$C', '$D']);
    expect(workflow.rules!.map((rule) => rule.if)).toEqual(['$A', '$B', '$C']);
  });

  it('adds the stages .pre and .post once, wherever the file names them', () => {
    expect(parse('stages: [build, .post, test, .pre]\na: { script: x, stage: test }').stages).toEqual([
      ...['.pre', 'build', 'test', '.post'],
    ]);
  });

  it('reads resource groups, after_script and dependencies', () => {
    const { jobs } = parse(`default: { after_script: [clean] }
a: { script: x, stage: build }
b: { script: x, stage: build, resource_group: one }
c: { script: x, after_script: [own], needs: [a, b], dependencies: [b] }
d: { script: x, needs: [a, { job: b, artifacts: false }] }
e: { script: x, dependencies: [] }`);
    expect(jobs.map(({ resourceGroup, spec }) => [resourceGroup, spec.afterScript, spec.artifactsFrom])).toEqual([
      [null, ['clean'], null],
      ['one', ['clean'], null],
      [null, ['own'], ['b']],
      [null, ['clean'], ['a']],
      [null, ['clean'], []],
    ]);
    expect(parse('a: { script: x }').jobs[0]!.spec.afterScript).toEqual([]);
  });

  it.each([
    ['pages: true', 'public'],
    ['pages: { publish: out }', 'out'],
    ['pages: { publish: out }, publish: other', 'out'],
    ['pages: {}, publish: other', 'other'],
    ['pages: true, publish: other', 'other'],
  ])('adds the folder of a website to the artifacts: %s', (keywords, folder) => {
    expect(parse(`a: { script: x, ${keywords} }`).jobs[0]!.spec.artifacts?.paths).toEqual([folder]);
  });

  it('accepts templates that extend each other up to a depth', () => {
    const chain = (depth: number) =>
      Array.from(
        { length: depth },
        (_, at) => `.t${at + 1}: { ${at + 1 < depth ? `extends: .t${at + 2}` : 'script: x'} }`,
      );
    const jobOf = (depth: number) => parse(`a: { extends: .t1 }\n${chain(depth).join('\n')}`).jobs[0]!.spec.script;
    expect(jobOf(10)).toEqual(['x']);
    expect(() => jobOf(11)).toThrow('circular dependency or nesting too deep in `extends`');
    expect(() => parse('a: { extends: missing, script: x }')).toThrow('missing: unknown keys in `extends` (missing)');
  });

  it.each([
    ['matrix: [{ A: [1, 2] }]', 2],
    [`matrix: [{ A: [${Array.from({ length: 100 }, (_, at) => at)}], B: [1, 2] }]`, 200],
    ['200', 200],
  ])('makes the copies of a parallel job: %s', (parallel, count) => {
    expect(
      parse(`a: { script: x, parallel: ${parallel.includes(':') ? `{ ${parallel} }` : parallel} }`).jobs,
    ).toHaveLength(count);
  });

  it.each([
    [`parallel: { matrix: [{ A: [${Array.from({ length: 201 }, (_, at) => at)}] }] }`, 'generates too many jobs'],
    ['parallel: 201', 'parallel'],
    ['pages: { publish: "" }', 'publish'],
  ])('refuses a job with %s', (keywords, problem) => {
    expect(() => parse(`a: { script: x, ${keywords} }`)).toThrow(problem);
  });

  it('accepts up to five needs of each kind that name other pipelines', () => {
    const needs = (projects: number, pipelines: number) =>
      parse(
        `a: { script: x, needs: [${[
          ...Array.from({ length: projects }, (_, at) => `{ project: g/p, job: j${at}, ref: main }`),
          ...Array.from({ length: pipelines }, (_, at) => `{ pipeline: $ID, job: j${at} }`),
        ]}] }`,
      ).jobs[0]!.spec.crossPipelineNeeds;
    expect(needs(5, 5)).toHaveLength(10);
    expect(() => needs(6, 0)).toThrow('names more than 5 jobs of other pipelines');
    expect(() => needs(0, 6)).toThrow('names more than 5 jobs of other pipelines');
  });

  it('forwards the variables of a job to a downstream pipeline, and those of the pipeline on request', () => {
    const forwardOf = (forward: string) => {
      const { forwardsVariables, forwardsPipelineVariables } = parse(`a: { trigger: { project: g/p${forward} } }`)
        .jobs[0]!.spec.trigger!;
      return [forwardsVariables, forwardsPipelineVariables];
    };
    expect(forwardOf('')).toEqual([true, false]);
    expect(forwardOf(', forward: { pipeline_variables: true }')).toEqual([true, true]);
    expect(forwardOf(', forward: { yaml_variables: false }')).toEqual([false, false]);
  });

  it('reads how long a job is delayed', () => {
    expect(parse('a: { script: x, when: delayed, start_in: 1 week }').jobs).toMatchObject([
      { when: 'delayed', startInSeconds: 604_800 },
    ]);
    expect(parse('a: { script: x, rules: [{ when: delayed, start_in: 90 }] }').jobs).toMatchObject([
      { rules: [{ when: 'delayed', startInSeconds: 90 }] },
    ]);
  });

  it.each([
    ['a: { script: x, when: delayed }', "jobs:a start in can't be blank"],
    ['a: { script: x, start_in: 5 }', 'jobs:a start in must be blank'],
    ['a: { script: x, when: delayed, start_in: soon }', 'jobs:a:start_in config should be a duration'],
    [
      'a: { script: x, when: delayed, start_in: 8 days }',
      'jobs:a:start_in config should not exceed the limit of 1 week',
    ],
    ['a: { script: x, rules: [{ when: delayed }] }', "jobs:a:rules:0 start in can't be blank"],
    ['a: { script: x, rules: [{ when: manual, start_in: 5 }] }', 'jobs:a:rules:0 start in must be blank'],
  ])('refuses the delay of %s', (content, problem) => expect(() => parse(content)).toThrow(problem));

  it('reads trigger', () => {
    const triggersOf = (lines: string) => parse(lines).jobs.map(({ spec }) => spec.trigger);
    expect(
      triggersOf(`
other: { trigger: group/app }
branch: { trigger: { project: group/app, branch: stable, strategy: depend } }
mirroring: { trigger: { project: group/app, strategy: mirror } }
child: { trigger: { include: child.yml, forward: { pipeline_variables: true } } }
children: { trigger: { include: [{ local: a.yml }, b.yml] } }
generated: { trigger: { include: [{ artifact: c.yml, job: make, inputs: { a: 1 } }] } }
`),
    ).toMatchObject([
      { target: { project: 'group/app', branch: null }, depends: false, forwardsVariables: true },
      { target: { project: 'group/app', branch: 'stable' }, depends: true },
      { target: { project: 'group/app', branch: null }, depends: true },
      { target: { include: ['child.yml'] }, forwardsPipelineVariables: true },
      { target: { include: [{ local: 'a.yml' }, 'b.yml'] } },
      { target: { include: [{ artifact: 'c.yml', job: 'make', inputs: { a: 1 } }] } },
    ]);
    expect(parse('default: { before_script: [x] }\na: { trigger: b }').jobs[0]!.spec.script).toEqual([]);
  });

  it.each([
    ['a: { script: x, trigger: b }', 'jobs:a config contains unknown keys: script'],
    ['a: { environment: x, image: y, trigger: b }', 'jobs:a config contains unknown keys: image, environment'],
    ['a: { trigger: { project: b, include: c } }', 'jobs:a:trigger config contains unknown keys: project'],
    ['a: { trigger: { include: [a, b, c, d] } }', 'jobs:a:trigger:include config is invalid'],
    ['a: { trigger: { include: [{ artifact: a.yml }] } }', 'jobs:a:trigger:include:0:job config is invalid'],
    ['a: { trigger: { project: b, strategy: wait } }', 'jobs:a:trigger:strategy config is invalid'],
    ['a: { stage: test }', 'jobs:a config should implement the script:, or trigger: keyword'],
  ])('refuses a trigger with %s', (content, problem) => expect(() => parse(content)).toThrow(problem));

  it('omits hidden jobs, and merges templates into their jobs', () => {
    const file = parse(`
.base: { script: base, variables: { A: '1', B: '1' }, tags: [a] }
.other: { extends: .base, variables: { B: '2' } }
job: { extends: [.other], variables: { C: '3' }, tags: [b] }
`);
    expect(file.jobs).toMatchObject([
      { name: 'job', tags: ['b'], spec: { script: ['base'], variables: { A: '1', B: '2', C: '3' } } },
    ]);
  });

  it('follows anchors, merge keys and references', () => {
    const file = parse(`
.common: &common { tags: [x] }
.setup: { script: [one, two] }
job:
  <<: *common
  script: [!reference [.setup, script], three]
`);
    expect(file.jobs).toMatchObject([{ tags: ['x'], spec: { script: ['one', 'two', 'three'] } }]);
    const ofList = (place: string) => parse(`.lines: [one, [two]]\njob: { script: !reference [.lines, ${place}] }`);
    expect(ofList('0').jobs[0]!.spec.script).toEqual(['one']);
    expect(ofList('1, 0').jobs[0]!.spec.script).toEqual(['two']);
    expect(() => ofList('2')).toThrow('could not be found');
    expect(() => ofList('length')).toThrow('could not be found');
  });

  it('reads artifacts with their access and expiry', () => {
    const { jobs } = parse(`
default: { artifacts: { paths: [a], expire_in: 1 day }, cache: { paths: [c] } }
cache: { paths: [of all] }
build:
  script: x
  stage: build
  artifacts:
    paths: [out/]
    exclude: ["**/*.o"]
    name: $CI_COMMIT_REF_SLUG
    untracked: true
    when: always
    expire_in: never
    expose_as: the build
    access: maintainer
    reports: { junit: j.xml, sast: [s.json], coverage_report: { coverage_format: cobertura, path: c.xml } }
  cache:
    - { key: one, paths: [x], policy: pull, when: always, fallback_keys: [two] }
    - { key: { files: [lock], prefix: p }, paths: [y], unprotect: true }
kept: { script: x, stage: build, artifacts: { public: false, untracked: true }, cache: {} }
test: { script: y, dependencies: [build] }
quick: { script: y, needs: [{ job: build, artifacts: false }, kept] }
`);
    const none = { paths: [], exclude: [], untracked: false, name: null, expireIn: null, reports: [] };
    expect(jobs.map(({ spec }) => [spec.artifacts, spec.artifactsFrom])).toEqual([
      [
        {
          paths: ['out/'],
          exclude: ['**/*.o'],
          untracked: true,
          name: '$CI_COMMIT_REF_SLUG',
          when: 'always',
          expireIn: 'never',
          access: 'maintainer',
          reports: [
            { kind: 'junit', paths: ['j.xml'] },
            { kind: 'sast', paths: ['s.json'] },
            { kind: 'cobertura', paths: ['c.xml'] },
          ],
        },
        null,
      ],
      [{ ...none, untracked: true, when: 'on_success', access: 'developer' }, null],
      [{ ...none, paths: ['a'], when: 'on_success', expireIn: '1 day', access: 'all' }, ['build']],
      [{ ...none, paths: ['a'], when: 'on_success', expireIn: '1 day', access: 'all' }, ['kept']],
    ]);
    const caches = jobs.map(({ spec }) => spec.cache.map(({ key, paths, isShared }) => [key, paths, isShared]));
    expect(caches).toEqual([
      [
        ['one', ['x'], false],
        [{ files: ['lock'], prefix: 'p' }, ['y'], true],
      ],
      [],
      [['default', ['c'], false]],
      [['default', ['c'], false]],
    ]);
    expect(parse('artifacts: { script: x }').jobs.map(({ name }) => name)).toEqual(['artifacts']);
  });

  it.each([
    ['artifacts: { paths: a }', 'jobs:job:artifacts:paths config is invalid'],
    ['artifacts: { path: [a] }', 'jobs:job:artifacts config contains unknown keys: path'],
    ['artifacts: { paths: [a], expire_in: soon }', 'jobs:job:artifacts:expire_in config should be a duration'],
    ['artifacts: { paths: [a], public: true, access: all }', 'may not use both: public, access'],
    ['artifacts: { expose_as: a }', 'needs paths for expose_as'],
    ['artifacts: { reports: { rumours: a } }', 'unknown keys: rumours'],
    ['cache: { colour: red }', 'jobs:job:cache config'],
    ['cache: [{}, {}, {}, {}, {}]', 'jobs:job:cache config'],
    ['dependencies: [nobody]', 'job job: undefined dependency: nobody'],
    ['dependencies: [later]', 'dependency later is not defined in current or prior stages'],
    ['needs: [before], dependencies: [other]', 'dependency other should be part of needs'],
  ])('refuses %s', (lines, reason) => {
    const others =
      'before: { script: x, stage: build }\nother: { script: x, stage: build }\nlater: { script: x, stage: deploy }';
    expect(() => parse(`${others}\njob: { script: x, ${lines} }`)).toThrow(reason);
  });

  it('copies parallel jobs', () => {
    const { jobs } = parse('job: { script: x, parallel: 2 }\nafter: { script: y, needs: [job] }');
    expect(jobs.map(({ name }) => name)).toEqual(['job 1/2', 'job 2/2', 'after']);
    expect(jobs[1]!.spec.variables).toMatchObject({ CI_NODE_INDEX: '2', CI_NODE_TOTAL: '2' });
  });

  it('makes a job for each combination of a matrix', () => {
    const matrix = '[{ OS: [linux, mac], VERSION: [1, 2] }, { OS: bsd }]';
    const { jobs } = parse(`job: { script: x, parallel: { matrix: ${matrix} } }\nafter: { script: y, needs: [job] }`);
    expect(jobs.map(({ name }) => name)).toEqual([
      ...['linux, 1', 'linux, 2', 'mac, 1', 'mac, 2', 'bsd'].map((values) => `job: [${values}]`),
      'after',
    ]);
    expect(jobs[2]!.spec.variables).toEqual({ OS: 'mac', VERSION: '1', CI_NODE_INDEX: '3', CI_NODE_TOTAL: '5' });
  });

  it('reads needs of some copies of a parallel job', () => {
    const file = `job: { script: x, parallel: { matrix: [{ OS: [linux, mac], VERSION: [1, 2] }] } }
after:
  script: y
  needs: [{ job: job, artifacts: false, parallel: { matrix: [{ OS: linux, VERSION: [1, 2] }] } }, ["job: [mac, 1]"]]`;
    expect(parse(file).jobs.at(-1)!.needs).toEqual([
      { job: 'job: [linux, 1]', isOptional: false, hasArtifacts: false },
      { job: 'job: [linux, 2]', isOptional: false, hasArtifacts: false },
      { job: 'job: [mac, 1]', isOptional: false, hasArtifacts: true },
    ]);
  });

  it('reads needs of jobs of other pipelines, as far as their artifacts are wanted', () => {
    const { jobs } = parse(`
a: { script: x }
job:
  script: y
  needs:
    - a
    - { pipeline: $UP, job: built }
    - { pipeline: 7, job: built, artifacts: false }
    - { project: group/app, job: built, ref: main, artifacts: true }
only: { script: z, needs: [{ pipeline: 7, job: built }] }`);
    expect(jobs.map(({ needs, spec }) => [needs?.map(({ job }) => job), spec.crossPipelineNeeds])).toEqual([
      [undefined, undefined],
      [
        ['a'],
        [
          { pipeline: '$UP', job: 'built' },
          { project: 'group/app', ref: 'main', job: 'built' },
        ],
      ],
      [[], [{ pipeline: '7', job: 'built' }]],
    ]);
  });

  it('reads needs of the copy with the same values', () => {
    const file = `build: { script: x, parallel: { matrix: [{ OS: [linux, mac] }] } }
test:
  script: y
  parallel: { matrix: [{ OS: [linux, mac], constructor: a }] }
  needs: ["build: [$[[ matrix.OS ]]]"]`;
    const { jobs } = parse(file);
    expect(jobs.slice(2).map(({ name, needs, spec }) => [name, needs![0]!.job, spec.artifactsFrom])).toEqual([
      ['test: [linux, a]', 'build: [linux]', ['build: [linux]']],
      ['test: [mac, a]', 'build: [mac]', ['build: [mac]']],
    ]);
    expect(() => parse(file.replace('matrix.OS', 'matrix.NOPE'))).toThrow(
      'undefined need: build: [$[[ matrix.NOPE ]]]',
    );
  });

  it('reads workflow', () => {
    const file = `
workflow:
  name: Pipeline of $CI_COMMIT_BRANCH
  auto_cancel: { on_new_commit: interruptible, on_job_failure: all }
  rules: [{ if: $A, when: never }, { when: always, auto_cancel: { on_new_commit: none } }]
job: { script: x }`;
    expect(parse(file).workflow).toMatchObject({
      name: 'Pipeline of $CI_COMMIT_BRANCH',
      autoCancel: { onNewCommit: 'interruptible', onJobFailure: 'all' },
      rules: [
        { if: '$A', when: 'never' },
        { when: undefined, autoCancel: { onNewCommit: 'none' } },
      ],
    });
    expect(parse('job: { script: x }').workflow).toEqual({ name: null, rules: null, autoCancel: {} });
  });

  it('reads the exit codes with which a job may fail', () => {
    const failing = (value: string) => parse(`job: { script: x, allow_failure: ${value} }`).jobs[0]!;
    expect(failing('{ exit_codes: 137 }')).toMatchObject({ allowFailure: false, allowedExitCodes: [137] });
    expect(failing('{ exit_codes: [1, 2] }')).toMatchObject({ allowFailure: false, allowedExitCodes: [1, 2] });
    expect(failing('true')).not.toHaveProperty('allowedExitCodes');
  });

  it.each([
    ['pages: true', ['a', 'public']],
    ['pages: true, publish: dist', ['a', 'dist']],
    ['pages: { publish: a, expire_in: 1 day }', ['a']],
    ['pages: false', ['a']],
    ['manual_confirmation: Are you sure?', ['a']],
  ])('stores pages as an artifact: %s', (lines, paths) => {
    const [job] = parse(
      `job: { script: x, artifacts: { paths: [a] }, ${lines} }\nother: { script: x, pages: true }`,
    ).jobs;
    expect(job!.spec.artifacts!.paths).toEqual(paths);
  });

  it('stores pages of a job without other artifacts', () => {
    expect(parse('job: { script: x, pages: true }').jobs[0]!.spec.artifacts).toMatchObject({
      ...{ paths: ['public'], when: 'on_success', access: 'all' },
    });
  });

  it('reads images and services with every keyword of runners', () => {
    const file = `job:
  script: x
  image: { name: node, entrypoint: [""], pull_policy: always, docker: { user: me } }
  services:
    - redis
    - { name: mysql, alias: db, command: [--verbose], entrypoint: [sh], pull_policy: [always, never], variables: { A: 1 } }`;
    const { image, services } = parse(file).jobs[0]!.spec;
    expect(image).toEqual({ name: 'node', entrypoint: [''], pull_policy: ['always'] });
    expect(services).toEqual([
      { name: 'redis' },
      {
        ...{ name: 'mysql', alias: 'db', command: ['--verbose'], entrypoint: ['sh'] },
        ...{ pull_policy: ['always', 'never'], variables: [{ key: 'A', value: '1' }] },
      },
    ]);
  });

  it.each([
    ['workflow: { colour: red }\njob: { script: x }', 'root:workflow config contains unknown keys: colour'],
    ['workflow: { rules: [{ when: manual }] }\njob: { script: x }', 'root:workflow:rules:0:when config is invalid'],
    [
      'workflow: { auto_cancel: { on_new_commit: all } }\njob: { script: x }',
      'root:workflow:auto_cancel:on_new_commit',
    ],
    ['job: { script: x, allow_failure: { exit_codes: one } }', 'jobs:job:allow_failure:exit_codes config is invalid'],
    ['job: { script: x, needs: [{ pipeline: $UP }] }', 'jobs:job:needs:0:job config is invalid'],
    ['job: { script: x, needs: [{ pipeline: 1, job: a, ref: c }] }', 'needs:0 config contains unknown keys: ref'],
    ['job: { script: x, needs: [{ project: b, job: a }] }', 'jobs:job:needs:0:ref config is invalid'],
    [
      `job: { script: x, needs: [${Array(6).fill('{ project: b, job: a, ref: c }')}] }`,
      'jobs:job:needs config names more than 5 jobs of other pipelines',
    ],
    ['job: { script: x, pages: { publish: a, colour: red } }', 'jobs:job:pages config contains unknown keys: colour'],
    [
      `a: { script: x }\njob: { script: x, rules: [{ needs: [${Array(51).fill('a')}] }] }`,
      'job job: one job can only need 50 others',
    ],
  ])('refuses %s', (content, problem) => expect(() => parse(content)).toThrow(problem));

  it('counts a matrix before it makes its jobs', () => {
    const row = Array.from({ length: 20 }, (_, n) => `K${n}: [1, 2, 3, 4, 5, 6, 7, 8, 9]`).join(', ');
    expect(() => parse(`job: { script: x, parallel: { matrix: [{ ${row} }] } }`)).toThrow('jobs:job:parallel');
  });

  it.each([
    ['environment: production', { name: 'production' }],
    [
      'environment: { name: review/$CI_COMMIT_REF_SLUG, url: "https://x", action: stop, deployment_tier: other }',
      { name: 'review/$CI_COMMIT_REF_SLUG', url: 'https://x', action: 'stop', tier: 'other' },
    ],
    ['environment: { name: a, auto_stop_in: 2 weeks }', { name: 'a', autoStopIn: '2 weeks' }],
    ['environment: { name: a, auto_stop_in: $DAYS }', { name: 'a', autoStopIn: '$DAYS' }],
    ['environment: { name: a, auto_stop_in: never }', { name: 'a', autoStopIn: 'never' }],
  ])('reads %s', (lines, environment) => {
    expect(parse(`job: { script: x, ${lines} }`).jobs[0]!.spec.environment).toEqual(environment);
  });

  it.each([
    ['', 'Invalid configuration format'],
    ['- a', 'Invalid configuration format'],
    ['job: [', 'Flow sequence'],
    ['stages: [a]', 'at least one visible job'],
    ['include: { nothing: x }\njob: { script: x }', 'needs to match exactly one accessor'],
    ['a: { script: x, parallel: { matrix: [] } }', 'jobs:a:parallel:matrix config is invalid'],
    ['a: { script: x, parallel: { matrix: [{ A: [], B: [x] }, { C: x }] } }', 'jobs:a:parallel'],
    ['a: { script: x, parallel: { matrix: [{ A: x }, { B: x }] } }', 'a: [x] job: there are several jobs of that name'],
    ['a: { script: x, parallel: 2 }\na 1/2: { script: y }', 'a 1/2 job: there are several jobs of that name'],
    [`${'a'.repeat(256)}: { script: x }`, 'name is too long'],
    ['a: { script: x, environment: { url: x } }', 'jobs:a:environment:name config is invalid'],
    ['job: { stage: test }', 'jobs:job config should implement the script:, or trigger: keyword'],
    ['job: { script: x, stage: nowhere }', 'chosen stage does not exist'],
    ['job: { script: x, colour: red }', 'jobs:job config contains unknown keys: colour'],
    ['job: { script: x, needs: [other] }', 'undefined need: other'],
    ['a: { script: x, needs: [b] }\nb: { script: x, needs: [a] }', 'circular'],
    ['a: { extends: a, script: x }', 'circular'],
    ['a: { extends: .b, script: x }', 'extends'],
    ['a: { extends: __proto__, script: x }', 'extends'],
    ['a: { script: x, rules: [], only: [main] }', 'may not be used with `rules`'],
    ['a: { script: x, when: never }', 'jobs:a:when config is invalid'],
    ['a: { script: x, timeout: soon }', 'jobs:a:timeout config should be a duration'],
    ['a: { script: !reference [.b, script] }', 'could not be found'],
    ['a: nothing', 'jobs:a config should be a hash'],
    ['a:', 'jobs:a config should be a hash'],
    ['a: { script: x, extends: [{ b: c }] }', 'jobs:a:extends config should be an array of strings or a string'],
  ])('refuses %j', (content, reason) => {
    expect(() => parse(content)).toThrow(reason);
  });

  it.each([
    ...['image', 'services', 'before_script', 'after_script', 'tags', 'timeout', 'retry', 'interruptible', 'cache'],
    ...['artifacts', 'hooks', 'id_tokens', 'secrets', 'coverage', 'dependencies', 'environment', 'release'],
    ...[
      'resource_group',
      'inherit',
      'trigger',
      'stage',
      'when',
      'start_in',
      'allow_failure',
      'needs',
      'pages',
      'rules',
    ],
    ...['only', 'except', 'variables', 'parallel', 'extends'],
  ])('treats %s without a value as not set', (keyword) => {
    expect(parse(`a: { script: x, ${keyword}: }`).jobs).toEqual(parse('a: { script: x }').jobs);
  });

  it.each(['stages', 'variables', 'workflow', 'default', 'image', 'cache', 'include'])(
    'treats default %s without a value as not set',
    (keyword) => {
      expect(parse(`${keyword}:\na: { script: x }`).jobs).toEqual(parse('a: { script: x }').jobs);
    },
  );

  it('removes a keyword of a template if the job sets it to null', () => {
    const template = '.t: { image: node, rules: [{ if: $A }], artifacts: { paths: [a], expire_in: 1 day }, script: x }';
    const [job] = parse(
      `${template}\na: { extends: .t, image:, rules:, only: [main], artifacts: { expire_in: } }`,
    ).jobs;
    expect(job).toMatchObject({ rules: null, only: { refs: ['main'] }, spec: { image: null } });
    expect(job!.spec.artifacts).toMatchObject({ paths: ['a'], expireIn: null });
  });

  it('treats a variable without a value as empty', () => {
    const [job] = parse('a: { script: x, variables: { A: }, parallel: { matrix: [{ B: [c] }] } }').jobs;
    expect(job!.spec.variables).toMatchObject({ A: '', B: 'c' });
  });

  it('refuses aliases that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `.l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`,
    );
    expect(() => parse([`.l0: &l0 [x]`, ...levels, 'job: { script: x }'].join('\n'))).toThrow(/alias/i);
  });

  it('accepts more jobs than a pipeline may have, since rules choose, and refuses too many', () => {
    const jobs = (count: number) =>
      Array.from({ length: count }, (_, n) => `j${n}: { script: x, parallel: 200 }`).join('\n');
    expect(parse(jobs(25)).jobs).toHaveLength(5000);
    expect(() => parse(jobs(26))).toThrow('a file has at most 5000 jobs');
  });

  it.each([
    ['a: { script: x, environment: { name: e, on_stop: b } }', 'on_stop job b is not defined'],
    ['a: { script: x, environment: { name: e, on_stop: b } }\nb: { script: x }', 'does not have environment defined'],
    [
      'a: { script: x, environment: { name: e, on_stop: b } }\nb: { script: x, environment: { name: f, action: stop } }',
      'have different environment name',
    ],
    [
      'a: { script: x, environment: { name: e, on_stop: b } }\nb: { script: x, environment: e }',
      'needs to have action stop defined',
    ],
    [
      'a: { script: x, environment: { name: e, auto_stop_in: soon } }',
      'jobs:a:environment:auto_stop_in config should be a duration',
    ],
    [
      'a: { script: x, environment: { name: e, deployment_tier: best } }',
      'jobs:a:environment:deployment_tier config is invalid',
    ],
    ['a: { script: x, resource_group: "a:b" }', 'jobs:a:resource_group config can contain only'],
    ['a: { script: x, resource_group: "" }', 'jobs:a:resource_group config'],
  ])('refuses %s', (file, problem) => {
    expect(() => parse(file)).toThrow(problem);
  });

  it('accepts an environment with the job that stops it', () => {
    const file =
      'a: { script: x, environment: { name: e, on_stop: b } }\nb: { script: x, environment: { name: e, action: stop } }';
    expect(parse(file).jobs[0]!.spec.environment).toEqual({ name: 'e', onStop: 'b' });
  });

  it('reads release', () => {
    const links = [{ name: 'app', url: 'https://x.test' }];
    const release = { tag_name: '$CI_COMMIT_TAG', description: 'd', milestones: 'm', assets: { links } };
    expect(parse(JSON.stringify({ a: { script: 'x', release } })).jobs[0]!.spec.release).toMatchObject({
      ...{ tagName: '$CI_COMMIT_TAG', name: null, ref: null, milestones: ['m'] },
      links: [JSON.stringify(links[0])],
    });
  });

  it.each([
    { description: 'd' },
    { tag_name: 'v1' },
    { tag_name: 'v1', description: 'd', other: 1 },
    { tag_name: 'v1', description: 'd', assets: { links: [{ name: 'x' }] } },
    { tag_name: 'v1', description: 'd', assets: { links: Array(201).fill({ name: 'x', url: 'y' }) } },
    'v1',
  ])('refuses %j as a release', (release) => {
    expect(() => parse(JSON.stringify({ a: { script: 'x', release } }))).toThrow('jobs:a:release');
  });

  it('accepts id_tokens and hooks, of a job or of default', () => {
    const file = `
default: { id_tokens: { A: { aud: https://a.test } }, hooks: { pre_get_sources_script: [one, two] } }
a: { script: x }
b: { script: x, id_tokens: { B: { aud: [b, $C] } }, hooks: { pre_get_sources_script: three } }`;
    const [a, b] = parse(file).jobs;
    expect(a!.spec).toMatchObject({ idTokens: { A: ['https://a.test'] }, beforeSources: ['one', 'two'] });
    expect(b!.spec).toMatchObject({ idTokens: { B: ['b', '$C'] }, beforeSources: ['three'] });
    expect(parse('id_tokens: { script: x }').jobs).toMatchObject([{ name: 'id_tokens' }]);
  });

  it.each([
    { A: 'aud' },
    { A: {} },
    { A: { aud: [] } },
    { 'a-b': { aud: 'x' } },
    { A: { aud: Array(21).fill('x') } },
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`A${n}`, { aud: 'x' }])),
  ])('refuses %j as tokens', (id_tokens) => {
    expect(() => parse(JSON.stringify({ a: { script: 'x', id_tokens } }))).toThrow('jobs:a:id_tokens');
  });

  // An unsupported keyword is not silently accepted.
  it.each(['secrets'])('refuses %s by name, which it does not obey', (keyword) => {
    expect(() => parse(`job: { script: x, ${keyword}: something }`)).toThrow(
      `jobs:job:${keyword} config is not supported by this server`,
    );
  });

  it.each([
    ['/Total: \\d+%/', 'Total: 98%'],
    ['/TOTAL.*? (100(?:\\.0+)?%|[1-9]?\\d(?:\\.\\d+)?%)$/', 'TOTAL 1 2 98%'],
  ])('reads %s as coverage', (pattern, line) => {
    const [job] = parse(JSON.stringify({ job: { script: 'x', coverage: pattern } })).jobs;
    expect(coverageOf(line, coveragePattern(job!.coveragePattern!))).toBe(98);
  });

  it.each([['total'], ['/(/'], ['/(?=a)/'], [`/${'a'.repeat(1000)}/`], ['/((a{30}){30}){9}/']])(
    'refuses %s as coverage',
    (pattern) => {
      const file = JSON.stringify({ job: { script: 'x', coverage: pattern } });
      expect(() => parse(file)).toThrow('jobs:job:coverage config must be a regular expression');
    },
  );

  it.each([
    ['retry: 2', { max: 2, when: null, exitCodes: null }],
    ['retry: { max: 1, when: always }', { max: 1, when: null, exitCodes: null }],
    ['retry: { when: [script_failure], exit_codes: 3 }', { max: 2, when: ['script_failure'], exitCodes: [3] }],
  ])('reads %s', (lines, retry) => {
    expect(parse(`job: { script: x, ${lines} }`).jobs).toMatchObject([{ retry }]);
  });

  it('refuses more further runs than two', () => {
    expect(() => parse('job: { script: x, retry: 3 }')).toThrow('jobs:job:retry config is invalid');
  });

  it.each([
    ['values', 'job: { script: [a, b, c, d, e, f] }', 'more than 8 values'],
    ['values', '.a: [x, x]\njob: { script: !reference [.a] }', 'more than 8 values'],
    ['depth', 'job: { script: [[[[x]]]] }', 'too deep'],
    ['needs', `job: { script: x, needs: [${Array(9).fill('job')}] }`, 'one job can only need 8 others'],
  ])('enforces the limit of %s: %s', (limit, content, reason) => {
    const limits = { ...usualLimits, [limit]: limit === 'depth' ? 4 : 8 };
    expect(() => parsePipelineFile(content, limits)).toThrow(reason);
  });
});
