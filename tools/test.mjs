/**
 * `npm test [-- <part of a path> ...]`: sets up what is missing, then checks the text and the types, and runs unit,
 * integration and end-to-end tests, all of them or those whose path has one of the given parts. A file that fails runs
 * once more, alone (docs/testing.md). The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, runTool, say, setUp } from './set-up.mjs';
import { installTestPrograms } from './test-programs.mjs';
import { runJest } from './tests/jest.mjs';
import { report } from './tests/report.mjs';
import { tryAgain } from './tests/second-try.mjs';

const textChecks = {
  'format and lint': ['biome', 'check', '.'],
  'forgotten promises': [
    'biome',
    'lint',
    '--config-path=biome.promises.json',
    '--diagnostic-level=error',
    'apps',
    'libs',
    'tools',
  ],
};
const typeCheck = { types: ['tsc', '-p', 'tsconfig.json'] };

await runTool(async () => {
  const { positionals: patterns } = parseArgs({ allowPositionals: true });
  setUp();
  installTestPrograms();
  const checks = await runChecks(textChecks);
  say('\n== types, unit tests');
  const [types, unit] = await Promise.all([runChecks(typeCheck), runJest('unit', { patterns, workers: 1 })]);
  say('\n== integration and end-to-end tests');
  // All end-to-end tests use one server, with one set of instance settings: one file at a time.
  const others = await Promise.all([
    runJest('e2e', { patterns, workers: 1 }),
    runJest('integration', { patterns, workers: 2 }),
  ]);
  report({ checks: [...checks, ...types], ...(await tryAgain([unit, ...others])) });
});

/** Runs each command; its output is printed when it fails. @returns each name, and whether it passed */
async function runChecks(commands) {
  const checks = [];
  for (const [name, [program, ...args]] of Object.entries(commands)) {
    const child = spawn(path.join(root, 'node_modules/.bin', program), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const [code] = await once(child, 'close');
    if (code !== 0) say(output);
    checks.push({ name, isWell: code === 0 });
  }
  return checks;
}
