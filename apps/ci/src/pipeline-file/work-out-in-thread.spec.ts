import type { Occasion } from './choose-jobs';
import { usualLimits } from './file-limits';
import workOut from './work-out-in-thread';

const occasion: Occasion = {
  ...{ ref: 'main', isTag: false, source: 'push', projectPath: 'group/app' },
  ...{ predefined: { CI_COMMIT_BRANCH: 'main' }, given: {} },
};
const limits = { ...usualLimits, jobs: 3 };
const work = (count: number, on: Occasion | null) => {
  const jobs = Array.from({ length: 20 }, (_, n) => {
    const branch = n < count ? 'main' : 'other';
    return `j${n}: { script: x, rules: [{ if: $CI_COMMIT_BRANCH == "${branch}" }] }`;
  });
  return workOut({ content: jobs.join('\n'), occasion: on, limits, files: {}, paths: {} });
};

describe('workOut', () => {
  it('bounds the jobs of a pipeline, not those of its file', () => {
    expect(work(3, occasion)).toMatchObject({ jobs: [{ name: 'j0' }, { name: 'j1' }, { name: 'j2' }] });
    expect(work(4, occasion)).toEqual({ problem: 'a pipeline has at most 3 jobs' });
  });

  it('lists all jobs of a file without an occasion', () => {
    expect(work(20, null)).toMatchObject({ jobs: { length: 20 } });
  });
});
