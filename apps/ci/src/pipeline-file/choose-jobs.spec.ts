import { chooseJobs, type Occasion } from './choose-jobs';
import { parsePipelineFile } from './parse-pipeline-file';

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

const choose = (job: string, occasion: Occasion) =>
  chooseJobs(parsePipelineFile(`job: { script: x, ${job} }`), occasion);
const isIn = (job: string, occasion: Occasion): boolean => choose(job, occasion).length === 1;

describe('chooseJobs', () => {
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
  ])('%s', (job, onSchedule, onApi, onTag) => {
    expect([isIn(job, schedule), isIn(job, api), isIn(job, tag)]).toEqual([onSchedule, onApi, onTag]);
  });

  it('lets given variables decide, and win over those of the file', () => {
    const job = 'variables: { MODE: fast }, rules: [{ if: $MODE == "slow", variables: { EXTRA: yes } }]';
    expect(isIn(job, schedule)).toBe(false);
    const [chosen] = choose(job, { ...schedule, given: { MODE: 'slow' } });
    expect(chosen!.spec.variables).toEqual({ MODE: 'fast', EXTRA: 'yes' });
  });

  it('gives a job the variables and defaults of the file that it inherits', () => {
    const file = parsePipelineFile(`
default: { tags: [linux], before_script: [setup], retry: 1 }
variables: { A: '1', B: '2' }
all: { script: x }
some: { script: x, inherit: { default: [tags], variables: [B] } }
none: { script: x, inherit: { default: false, variables: false }, variables: { C: '3' } }
`);
    const chosen = chooseJobs(file, api).map(({ name, tags, retry, spec: { script, variables } }) => [
      name,
      { tags, max: retry?.max, script, variables },
    ]);
    expect(Object.fromEntries(chosen)).toEqual({
      all: { tags: ['linux'], max: 1, script: ['setup', 'x'], variables: { A: '1', B: '2' } },
      some: { tags: ['linux'], max: undefined, script: ['x'], variables: { B: '2' } },
      none: { tags: [], max: undefined, script: ['x'], variables: { C: '3' } },
    });
  });

  it('knows whether a manual job holds the pipeline up', () => {
    expect(choose('when: manual', api)[0]).toMatchObject({ when: 'manual', allowFailure: true });
    expect(choose('when: manual, allow_failure: false', api)[0]).toMatchObject({ allowFailure: false });
    expect(choose('rules: [{ when: manual }]', api)[0]).toMatchObject({ when: 'manual', allowFailure: false });
  });

  it('makes nothing where the workflow forbids it', () => {
    const file = parsePipelineFile('workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "api" }] }\njob: { script: x }');
    expect(chooseJobs(file, schedule)).toHaveLength(0);
    expect(chooseJobs(file, api)).toHaveLength(1);
  });

  it('refuses a job whose need is not in the pipeline, unless it is optional', () => {
    const file = (need: string) =>
      parsePipelineFile(`a: { script: x, only: [tags] }\nb: { script: x, needs: [${need}] }`);
    expect(() => chooseJobs(file('a'), api)).toThrow("'b' job needs 'a' job");
    expect(chooseJobs(file('{ job: a, optional: true }'), api)).toMatchObject([{ name: 'b', needNames: [] }]);
  });
});
