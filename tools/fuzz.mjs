/**
 * `npm run fuzz [-- --minutes 60] [--seed 7]`: sends hostile values to every operation of a server of its own, in every
 * role, on real records. Prints what came as a table, and fails on any fault or death of a process.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, run, runTool, setUp } from './set-up.mjs';

const options = { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } };

await runTool(() => {
  const { minutes, seed } = parseArgs({ options }).values;
  setUp();
  const jest = path.join(root, 'node_modules/.bin/jest');
  const { status } = run(jest, ['--config', 'jest.config.js', '--rootDir', 'apps/e2e', '--selectProjects', 'fuzz'], {
    env: { ...process.env, FUZZ_MINUTES: minutes, ...(seed && { FUZZ_SEED: seed }) },
  });
  process.exitCode = status ?? 1;
});
