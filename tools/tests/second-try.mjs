/** Distinguishes flaky tests from failing ones. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outputFolder, runJest } from './jest.mjs';

/** More failed files point to the change or the machine, which a second run cannot tell. */
export const mostFlakyFiles = 3;

/**
 * Runs each failed file once more, alone. A file that passes then counts as passed and is listed as flaky, also in
 * `test-output/flaky.json`.
 * @param runs the results of {@link runJest}
 * @returns the runs after the second attempt, and the flaky files with their first failures
 */
export async function tryAgain(runs) {
  const flakyFile = path.join(outputFolder, 'flaky.json');
  rmSync(flakyFile, { force: true });
  const failed = runs.flatMap(({ files }) => files).filter(({ failures }) => failures.length > 0);
  if (failed.length === 0 || failed.length > mostFlakyFiles) return { runs, flaky: [] };
  const again = new Map();
  for (const { kind, file } of failed) again.set(file, await runJest(kind, { only: [file], workers: 1 }));
  const flaky = failed.filter(({ file }) => hasPassed(again.get(file)));
  writeFileSync(flakyFile, `${JSON.stringify(flaky, null, 2)}\n`);
  return {
    runs: runs.map((run) => ({
      ...run,
      files: run.files.map((first) => (flaky.includes(first) ? again.get(first.file).files[0] : first)),
    })),
    flaky,
  };
}

const hasPassed = ({ files: [file], error }) => !error && file?.failures.length === 0 && file.passed > 0;
