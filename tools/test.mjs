/**
 * `npm test [-- <part of a path> ...]`: sets up what is missing, then checks texts and types, and runs unit,
 * integration and end-to-end tests, all of them or those whose path has one of the given parts. A failed file runs once
 * more, alone (docs/testing.md). The last line is `N passed, N failed`.
 */
import './help.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { print, root, runTool, SetUpError, setUp } from './set-up.mjs';
import { runJest } from './tests/jest.mjs';
import { report } from './tests/report.mjs';
import { tryAgain } from './tests/second-try.mjs';

const checks = {
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
  // Each further checker computes the shared types again.
  types: ['tsc', '-p', 'tsconfig.json', '--checkers', '1'],
};

await runTool(async () => {
  const { positionals: patterns } = parseArgs({ allowPositionals: true });
  setUp();
  print('== lint, types, unit tests, budgets');
  const [checked, first] = await Promise.all([
    runChecks(),
    // Both leave a core to the checks.
    runJest('unit', { patterns, workers: 1 }).then(async (unit) => [
      unit,
      await runJest('budgets', { patterns, workers: 1 }),
    ]),
    installPrograms(),
  ]);
  print('\n== integration and end-to-end tests');
  const others = await Promise.all([
    // All end-to-end tests use one server, with one set of instance settings: one file at a time.
    runJest('e2e', { patterns, workers: 1 }),
    // More workers than the two cores of CI, because tests also wait for programs, timers and disks.
    runJest('integration', { patterns, workers: 3 }),
  ]);
  report({ checks: checked, ...(await tryAgain([...first, ...others])) });
});

/** Runs one check after the other, and prints the output of failed ones. @returns each name, and whether it passed */
async function runChecks() {
  const results = [];
  for (const [name, [program, ...args]] of Object.entries(checks)) {
    const { code, output } = await runChild(path.join(root, 'node_modules/.bin', program), args);
    if (code !== 0) print(output);
    results.push({ name, isWell: code === 0 });
  }
  return results;
}

/** In a separate process, so that lint, types and unit tests run while apt installs. @throws SetUpError */
async function installPrograms() {
  const script = path.join(root, 'tools/tests/install-programs.mjs');
  const { code } = await runChild(process.execPath, [script], { stdio: 'inherit' });
  if (code !== 0) throw new SetUpError('The programs of the tests could not be installed; the messages are above.');
}

async function runChild(command, args, { stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
  const child = spawn(command, args, { cwd: root, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
