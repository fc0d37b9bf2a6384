/** Prints failures and counts. */
import { print } from '../set-up.mjs';

/**
 * Prints each failure and, as the last line, `N passed, N failed`: every test, and each check as one. Sets the exit code.
 * @param checks names with whether they passed
 * @param runs what {@link runJest} returned
 * @param flaky files that failed once and passed then
 */
export function report({ checks = [], runs = [], flaky = [] }) {
  // Last, because readers look at the end of a long log.
  for (const { kind, error } of runs) if (error) print(`FAILED ${kind}: ${error}`);
  const files = runs.flatMap((run) => run.files);
  for (const file of files) describe('FAILED', file);
  for (const { name, isWell } of checks) if (!isWell) print(`FAILED ${name}; its messages are above`);
  for (const file of flaky) describe('FLAKY', file);
  const passed = checks.filter(({ isWell }) => isWell).length + sum(files.map((file) => file.passed));
  const failed =
    checks.filter(({ isWell }) => !isWell).length +
    runs.filter(({ error }) => error).length +
    sum(files.map((file) => file.failures.length));
  print(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  return { passed, failed };
}

function describe(word, { file, failures }) {
  for (const { name, reason } of failures) print(`${word} ${file} › ${name}\n${withoutLibraries(reason)}`);
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @returns the first lines of a reason, and its stack without frames of libraries */
function withoutLibraries(reason) {
  const lines = reason
    .split('\n')
    .filter((line) => !line.includes('/node_modules/') && !line.includes('(node:internal'));
  return lines.slice(0, 20).join('\n');
}
