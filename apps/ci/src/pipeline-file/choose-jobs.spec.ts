import { chooseJobs, type Occasion } from './choose-jobs';
import { parsePipelineFile } from './parse-pipeline-file';
import { keyOfQuestion, type PathAnswer, type PathQuestion, RepositoryPaths } from './repository-paths';

const jobsOf = (...given: Parameters<typeof chooseJobs>) => chooseJobs(...given).jobs;

const schedule: Occasion = {
  ref: 'main',
  isTag: false,
  source: 'schedule',
  projectPath: 'group/app',
  predefined: { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main' },
  given: {},
};
const api: Occasion = {
  ...schedule,
  source: 'api',
  predefined: { CI_PIPELINE_SOURCE: 'api', CI_COMMIT_BRANCH: 'main' },
};
const tag: Occasion = { ...api, ref: 'v1.0', isTag: true };

const changes = { kind: 'changes', compareTo: null } as const;
const knowing = (answers: [PathQuestion, PathAnswer][]) =>
  new RepositoryPaths(
    Object.fromEntries(
      [[changes, null] as const, ...answers].map(([question, answer]) => [keyOfQuestion(question), answer]),
    ),
  );
const choose = (job: string, occasion: Occasion) =>
  jobsOf(parsePipelineFile(`job: { script: x, ${job} }`), occasion, knowing([]));
const isIn = (job: string, occasion: Occasion): boolean => choose(job, occasion).length === 1;

describe('chooseJobs', () => {
  it('delays a job by its rule, or by the job', () => {
    const delayOf = (job: string) => choose(job, api).map(({ when, startInSeconds }) => [when, startInSeconds]);
    expect(delayOf('when: delayed, start_in: 90')).toEqual([['delayed', 90]]);
    expect(delayOf('rules: [{ when: delayed, start_in: 60 }]')).toEqual([['delayed', 60]]);
    expect(delayOf('when: delayed, start_in: 90, rules: [{ when: delayed, start_in: 60 }]')).toEqual([['delayed', 60]]);
    expect(delayOf('when: on_success')).toEqual([['on_success', undefined]]);
  });

  it.each([
    ['when: on_success', true, true, true],
    ['only: [schedules]', true, false, false],
    ['except: [schedules]', false, true, true],
    ['only: [tags]', false, false, true],
    ['only: [main]', true, true, false],
    ['only: ["/^v\\\\d/"]', false, false, true],
    ['only: [main@group/app]', true, true, false],
    ['only: [main@group/fork]', false, false, false],
    ['only: { refs: [branches], variables: [$FLAG] }', false, false, false],
    ['rules: [{ if: $CI_PIPELINE_SOURCE == "schedule" }]', true, false, false],
    ['rules: [{ if: $CI_PIPELINE_SOURCE == "schedule", when: never }, { when: always }]', false, true, true],
    ['rules: []', false, false, false],
    ['rules: [{ changes: [src/*] }]', true, true, true],
    ['only: { variables: [$FLAG] }', false, false, false],
    ['only: { variables: [$FLAG, $CI_COMMIT_BRANCH] }', true, true, true],
    ['only: [branches, tags]', true, true, true],
    ['only: [schedules, tags]', true, false, true],
    ['only: [branches], except: [schedules]', false, true, false],
    ['except: { variables: [$CI_COMMIT_BRANCH] }', false, false, false],
    ['except: { refs: [tags], variables: [$FLAG] }', true, true, false],
    ['except: [schedules, tags]', false, true, false],
    ['except: [main@group/fork]', true, true, true],
    ['except: [branches@group/app]', false, false, true],
    ['only: ["@group/app"]', false, false, false],
    ['only: [v1]', false, false, false],
  ])('%s', (job, onSchedule, onApi, onTag) => {
    expect([isIn(job, schedule), isIn(job, api), isIn(job, tag)]).toEqual([onSchedule, onApi, onTag]);
  });

  it('evaluates rules with variables of the pipeline, which override those of the file', () => {
    const job = 'variables: { MODE: fast }, rules: [{ if: $MODE == "slow", variables: { EXTRA: "yes" } }]';
    expect(isIn(job, schedule)).toBe(false);
    const [chosen] = choose(job, { ...schedule, given: { MODE: 'slow' } });
    expect(chosen!.spec.variables).toEqual({ MODE: 'fast', EXTRA: 'yes' });
  });

  it('adds to a job the variables and defaults that it inherits', () => {
    const file = parsePipelineFile(`
default: { tags: [linux], before_script: [setup], retry: 1 }
variables: { A: '1', B: '2' }
all: { script: x }
some: { script: x, inherit: { default: [tags], variables: [B] } }
none: { script: x, inherit: { default: false, variables: false }, variables: { C: '3' } }
`);
    const chosen = jobsOf(file, api).map(({ name, tags, retry, spec: { script, variables } }) => [
      name,
      { tags, max: retry?.max, script, variables },
    ]);
    expect(Object.fromEntries(chosen)).toEqual({
      all: { tags: ['linux'], max: 1, script: ['setup', 'x'], variables: { A: '1', B: '2' } },
      some: { tags: ['linux'], max: undefined, script: ['x'], variables: { B: '2' } },
      none: { tags: [], max: undefined, script: ['x'], variables: { C: '3' } },
    });
  });

  it('detects whether a manual job blocks the pipeline', () => {
    expect(choose('when: manual', api)[0]).toMatchObject({ when: 'manual', allowFailure: true });
    expect(choose('when: manual, allow_failure: false', api)[0]).toMatchObject({ allowFailure: false });
    expect(choose('allow_failure: true', api)[0]).toMatchObject({ when: 'on_success', allowFailure: true });
    expect(choose('script: [x]', api)[0]).toMatchObject({ when: 'on_success', allowFailure: false });
    expect(choose('rules: [{ when: always }], allow_failure: true', api)[0]).toMatchObject({ allowFailure: true });
    expect(choose('rules: [{ allow_failure: false }], allow_failure: true', api)[0]).toMatchObject({
      allowFailure: false,
    });
    expect(choose('rules: [{ if: $CI_PIPELINE_SOURCE }], when: manual', api)[0]).toMatchObject({ when: 'manual' });
    expect(choose('rules: [{ when: manual }]', api)[0]).toMatchObject({ when: 'manual', allowFailure: false });
  });

  it('creates nothing if the workflow forbids it', () => {
    const file = parsePipelineFile('workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "api" }] }\njob: { script: x }');
    expect(jobsOf(file, schedule)).toHaveLength(0);
    expect(jobsOf(file, api)).toHaveLength(1);
    const never = parsePipelineFile('workflow: { rules: [{ when: never }] }\njob: { script: x }');
    expect(jobsOf(never, api)).toHaveLength(0);
    const varied = parsePipelineFile(
      'variables: { A: file }\nworkflow: { rules: [{ if: $A == "file", variables: { B: rule } }] }\njob: { script: x }',
    );
    expect(jobsOf(varied, api)[0]!.spec.variables).toEqual({ A: 'file', B: 'rule' });
    expect(jobsOf(varied, { ...api, given: { A: 'given' } })).toHaveLength(0);
  });

  it('uses needs and interruptible of the rule that matches', () => {
    const file = parsePipelineFile(`
a: { script: x }
b: { script: x, needs: [a] }
c:
  script: x
  needs: [a]
  rules:
    - { if: $MODE == "wide", needs: [a, { job: b, artifacts: false }], interruptible: true }
    - when: on_success
`);
    const chosenWith = (given: Record<string, string>) => jobsOf(file, { ...api, given })[2]!;
    expect(chosenWith({})).toMatchObject({ needNames: ['a'], isInterruptible: false, spec: { artifactsFrom: ['a'] } });
    expect(chosenWith({ MODE: 'wide' })).toMatchObject({
      ...{ needNames: ['a', 'b'], isInterruptible: true, spec: { artifactsFrom: ['a'] } },
    });
  });

  it('puts variables into needs of jobs of other pipelines', () => {
    const file = parsePipelineFile(`
variables: { APP: group/app }
a:
  script: x
  needs: [{ pipeline: $UP, job: '$NAME 1' }]
  rules:
    - { if: $MODE == "wide", needs: [{ project: $APP, job: b, ref: $CI_COMMIT_REF_NAME }] }
    - { if: $MODE == "none", needs: [] }
    - when: on_success
`);
    const needsWith = (given: Record<string, string>) =>
      jobsOf(file, { ...api, predefined: { CI_COMMIT_REF_NAME: 'main' }, given })[0]!.spec.crossPipelineNeeds;
    expect(needsWith({ UP: '7', NAME: 'built' })).toEqual([{ pipeline: '7', job: 'built 1' }]);
    expect(needsWith({ MODE: 'wide' })).toEqual([{ project: 'group/app', job: 'b', ref: 'main' }]);
    expect(needsWith({ MODE: 'none' })).toBeUndefined();
  });

  it('refuses needs that form a cycle through rules', () => {
    const file = parsePipelineFile('a: { script: x, rules: [{ needs: [b] }] }\nb: { script: x, needs: [a] }');
    expect(() => jobsOf(file, api)).toThrow('circular');
  });

  it('uses allow_failure of the rule instead of exit codes', () => {
    const [some] = choose('allow_failure: { exit_codes: [3] }, rules: [{ when: always }]', api);
    expect(some).toMatchObject({ allowFailure: false, allowedExitCodes: [3] });
    const [all] = choose('allow_failure: { exit_codes: [3] }, rules: [{ allow_failure: true }]', api);
    expect(all).toMatchObject({ allowFailure: true });
    expect(all).not.toHaveProperty('allowedExitCodes');
  });

  it('names the pipeline with resolved variables, and reads when it is canceled', () => {
    const file = (name: string) =>
      parsePipelineFile(`
variables: { WHAT: file }
workflow:
  name: ${name}
  auto_cancel: { on_job_failure: all, on_new_commit: none }
  rules:
    - { if: $CI_PIPELINE_SOURCE == "api", variables: { WHAT: rule }, auto_cancel: { on_new_commit: interruptible } }
    - when: always
job: { script: x }`);
    expect(chooseJobs(file('$WHAT on $CI_COMMIT_BRANCH'), api)).toMatchObject({
      name: 'rule on main',
      autoCancel: { onNewCommit: 'interruptible', onJobFailure: 'all' },
    });
    expect(chooseJobs(file('$WHAT'), { ...schedule, given: { WHAT: 'given' } })).toMatchObject({
      name: 'given',
      autoCancel: { onNewCommit: 'none', onJobFailure: 'all' },
    });
    expect(chooseJobs(file('$NOTHING'), api).name).toBeNull();
    const secret = { ...api, given: { TOKEN: 'secret', SHOWN: 'x' }, masked: ['TOKEN'] };
    expect(chooseJobs(file('"$TOKEN$SHOWN"'), secret).name).toBe('x');
    expect(chooseJobs(file('$LONG'), { ...api, given: { LONG: 'x'.repeat(300) } }).name).toHaveLength(255);
  });

  it('chooses for merge requests only the jobs that name them', () => {
    const change: Occasion = { ...api, source: 'merge_request_event' };
    const chosen = ['script: x', 'only: [branches]', 'only: [merge_requests]', 'except: [tags]', 'only: [main]'];
    expect(chosen.map((job) => choose(job, change).length)).toEqual([0, 0, 1, 0, 1]);
  });

  it('refuses a job whose required need is not in the pipeline', () => {
    const file = (need: string) =>
      parsePipelineFile(`a: { script: x, only: [tags] }\nb: { script: x, needs: [${need}] }`);
    expect(() => jobsOf(file('a'), api)).toThrow("'b' job needs 'a' job");
    expect(jobsOf(file('{ job: a, optional: true }'), api)).toMatchObject([{ name: 'b', needNames: [] }]);
    expect(jobsOf(file('a'), tag)).toMatchObject([
      { name: 'a', needNames: null },
      { name: 'b', needNames: ['a'] },
    ]);
  });
});

describe('files', () => {
  const chosen = (job: string, answers: [PathQuestion, PathAnswer][]) =>
    jobsOf(parsePipelineFile(`job: { script: x, ${job} }`), api, knowing(answers)).length === 1;
  const some = { paths: ['src/a.ts', 'README.md'], isTruncated: false };
  const here = { project: null, ref: null };

  it.each([
    ['rules: [{ changes: [src/*.ts] }]', true, false],
    ['rules: [{ changes: [docs/*] }]', false, false],
    ['rules: [{ changes: { paths: ["$CI_COMMIT_BRANCH/*", README.md] } }]', true, false],
    ['rules: [{ if: $FLAG, changes: [src/*] }]', false, false],
    ['only: { changes: [README.md] }', true, false],
    ['only: { refs: [tags], changes: [README.md] }', false, false],
    ['except: { changes: [README.md] }', false, true],
    ['except: { changes: [docs/*] }', true, true],
  ])('that changed: %s', (job, isChosen, isChosenWithout) => {
    expect(chosen(job, [[changes, some]])).toBe(isChosen);
    expect(chosen(job, [[changes, { paths: [], isTruncated: false }]])).toBe(isChosenWithout);
    expect(
      chosen(job.replace('README.md', 'x').replace('docs/*', 'x'), [[changes, { ...some, isTruncated: true }]]),
    ).toBe(!job.startsWith('except') && !/FLAG|tags/.test(job));
  });

  it('are compared with a branch or searched if a rule needs it', () => {
    const since = { kind: 'changes', compareTo: 'main' } as const;
    const compared = 'rules: [{ changes: { paths: [src/**/*], compare_to: $CI_COMMIT_BRANCH } }]';
    expect(chosen(compared, [[since, some]])).toBe(true);
    expect(() => chosen(compared, [])).toThrow(expect.objectContaining({ questions: [since] }));
    const there = 'rules: [{ exists: [Dockerfile, "src/**/*.ts"] }]';
    const one = { kind: 'file', path: 'Dockerfile', ...here } as const;
    const all = { kind: 'files', ...here } as const;
    const none = { paths: [], isTruncated: false };
    expect(() => chosen(there, [])).toThrow(expect.objectContaining({ questions: [one, all] }));
    expect(
      chosen(there, [
        [one, none],
        [all, none],
      ]),
    ).toBe(false);
    expect(
      chosen(there, [
        [one, none],
        [all, some],
      ]),
    ).toBe(true);
    expect(
      chosen(there, [
        [one, { paths: ['Dockerfile'], isTruncated: false }],
        [all, none],
      ]),
    ).toBe(true);
    const elsewhere = 'rules: [{ exists: { paths: [a], project: group/app, ref: v1 } }]';
    const asked = { kind: 'file', path: 'a', project: 'group/app', ref: 'v1' };
    expect(() => chosen(elsewhere, [])).toThrow(expect.objectContaining({ questions: [asked] }));
  });
});
