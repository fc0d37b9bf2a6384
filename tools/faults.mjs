/**
 * `npm run faults [-- --project identity]`: runs the integration tests of the services, with each write of each
 * operation failing once in every way in which databases, NATS and Redis fail. Fails if a test fails: then data was
 * lost, or is incomplete. How to read its counts: docs/fault-tests.md.
 */
import './help.mjs';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { services } from './services.mjs';
import { print, root, run, runTool, setUp } from './set-up.mjs';

const testTimeoutMs = 240_000;

await runTool(async () => {
  const { project } = parseArgs({ options: { project: { type: 'string' } } }).values;
  setUp();
  const { operationsOf } = (await import('@moothall/contracts')).default;
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-faults-'));
  let isWell = true;
  for (const service of services.filter((name) => !project || name === project)) {
    print(`\n== ${service}`);
    const outcomes = path.join(folder, service);
    isWell = runTests(service, outcomes) && isWell;
    report(outcomes, operationsOf(service));
  }
  rmSync(folder, { recursive: true });
  process.exitCode = isWell ? 0 : 1;
});

function runTests(service, outcomes) {
  const jest = path.join(root, 'node_modules/.bin/jest');
  const options = [`apps/${service}/test`, '--selectProjects', 'integration', '--testTimeout', testTimeoutMs];
  const env = { ...process.env, FAULTS: outcomes };
  return run(jest, options.map(String), { env }).status === 0;
}

/** Counts the results of operations, and names those that no test has called. */
function report(file, operations) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const tried = new Set(lines.map((line) => line.slice(0, line.indexOf(' '))));
  const count = (outcome) => lines.filter((line) => line.endsWith(`: ${outcome}`)).length;
  const writing = operations.filter(({ isRead }) => !isRead).map(({ name }) => name);
  const untried = writing.filter((name) => !tried.has(name));
  print(`reported: ${count('reported')}, stored: ${count('stored')}`);
  print(`operations that write: ${writing.length}, met with a fault: ${writing.length - untried.length}`);
  if (untried.length > 0) print(`no write of these failed: ${untried.join(', ')}`);
}
