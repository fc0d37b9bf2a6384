import { defaultPlanLimits } from '@moothall/contracts';
import { PipelineFiles } from '../src/pipeline-file/pipeline-files';

/* Pipeline files with slow includes. */

const settings = {
  CI_MAX_YAML_SIZE: 1024 ** 2,
  CI_MAX_YAML_DEPTH: 100,
  CI_MAX_YAML_VALUES: 1000,
  CI_MAX_PIPELINE_SIZE: 1024 ** 2,
  CI_MAX_JOBS: 10,
  CI_MAX_NEEDS: 10,
  CI_YAML_TIMEOUT: 60,
};
const plans = { most: async () => Number.POSITIVE_INFINITY, read: async () => defaultPlanLimits };
const reader = { project: { fullPath: 'group/app' }, at: { ref: 'main' }, caller: null };

it('time out if all of them together take too long', async () => {
  // The clock is controlled, because the start time of a thread depends on the machine.
  let laterMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => laterMs);
  let count = 0;
  const read = async () => {
    laterMs += 4000;
    count += 1;
    return `include: ${count}.yml`;
  };
  const files = new PipelineFiles(settings as never, { read } as never, {} as never, plans as never);
  try {
    expect(await files.lint('include: 0.yml', { occasion: null }, reader as never)).toEqual({
      problem: 'Included files take too long to be read',
    });
    expect(count).toBe(4);
  } finally {
    jest.restoreAllMocks();
    await files.onApplicationShutdown();
  }
});
