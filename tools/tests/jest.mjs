/** Runs Jest and reads its results. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../set-up.mjs';

/** Folder of reports; git ignores it. */
export const outputFolder = path.join(root, 'test-output');

/**
 * @typedef {object} TestFile a test file and its result
 * @property {string} kind a project of jest.config.js
 * @property {string} file relative to the checkout
 * @property {number} passed number of tests
 * @property {{name: string, reason: string}[]} failures one without a name if the file itself could not run
 */

/**
 * Runs the files of one kind, to the end even if one fails.
 * @param kind a project of jest.config.js
 * @param options.patterns parts of paths; without them all files of the kind
 * @param options.only exactly these files instead
 * @param options.command prefix of the command, for a network of its own
 * @returns the files, and `error` if Jest itself failed: a server that did not stop, a killed process
 */
export async function runJest(kind, { patterns = [], only, workers = 2, env = {}, command = [] } = {}) {
  const report = path.join(outputFolder, `${kind}${only ? '-again' : ''}.json`);
  mkdirSync(outputFolder, { recursive: true });
  rmSync(report, { force: true });
  const files = only ? ['--runTestsByPath', ...only] : patterns;
  const options = ['--selectProjects', kind, '--maxWorkers', String(workers), '--json', '--outputFile', report];
  const [program, ...args] = [...command, path.join(root, 'node_modules/.bin/jest'), ...files, ...options];
  const jest = spawn(program, [...args, '--passWithNoTests'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [code, signal] = await once(jest, 'close');
  if (!existsSync(report)) return { kind, files: [], error: `Jest ended with ${code ?? signal} and without a report` };
  const { testResults, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const isExplained = code === 0 || numFailedTests + numRuntimeErrorTestSuites > 0;
  return {
    kind,
    files: testResults.map((result) => readFile(kind, result)),
    ...(!isExplained && { error: `Jest ended with ${code ?? signal}, though no test failed; its messages are above` }),
  };
}

/** @returns {TestFile} */
function readFile(kind, { name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const failures = failed.map(({ fullName, failureMessages }) => ({
    name: fullName,
    reason: failureMessages[0] ?? '',
  }));
  return {
    kind,
    file: path.relative(root, name),
    passed: assertionResults.filter((test) => test.status === 'passed').length,
    failures: failures.length === 0 && status === 'failed' ? [{ name: '', reason: message }] : failures,
  };
}
