/**
 * `npm test [-- --project <name>]`: sets up what is missing, then runs lint, type check and unit tests, then integration
 * and end-to-end tests, and the fuzzer for two minutes. At the end it says again what failed; the last line is
 * `N passed, N failed`: every test, and each project linted or type-checked as one. With `--replicas` it runs the
 * end-to-end tests alone, on two processes of every service behind two gateways.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installRegistry, installTestPrograms, nxEnvironment, root, run, runTool, say, setUp } from './set-up.mjs';
import { openTurns } from './turns.mjs';

/** What stands in one step runs at the same time. */
const steps = [
  [{ targets: ['lint', 'lint-promises', 'typecheck', 'test'], parallel: 2 }],
  // These wait for most of their time: there are many of them, and turns.mjs lets the next file begin where there is time.
  [
    { targets: ['e2e'], parallel: 1 },
    { targets: ['own-servers'], parallel: 1 },
    { targets: ['integration'], parallel: 4 },
    // As many requests as two minutes hold.
    { targets: ['fuzz'], parallel: 1 },
  ],
];
const onReplicas = [[{ targets: ['replicas'], parallel: 1 }]];
const jestReports = {
  test: 'unit.json',
  integration: 'integration.json',
  e2e: 'e2e.json',
  'own-servers': 'own-servers.json',
  fuzz: 'fuzz.json',
  replicas: 'replicas.json',
};
const nx = path.join(root, 'node_modules/.bin/nx');

await runTool(async () => {
  const options = { project: { type: 'string' }, replicas: { type: 'boolean' } };
  const { project, replicas } = parseArgs({ options }).values;
  setUp();
  const projects = listProjects(project);
  if (projects.has('@moothall/e2e')) installTestPrograms();
  else if (projects.has('@moothall/registry')) installRegistry();
  const totals = { passed: 0, failed: 0 };
  const failures = [];
  for (const step of replicas ? onReplicas : steps) {
    const turns = step.length > 1 ? await openTurns() : undefined;
    const run = ({ targets, parallel }) => runTargets(targets, parallel, projects, turns?.url);
    const tasks = await Promise.all(step.map(run));
    turns?.close();
    for (const { projectName, target, isWell } of tasks.flat()) {
      const counts = countTask(projects.get(projectName), target, isWell);
      totals.passed += counts.passed;
      totals.failed += counts.failed;
      if (counts.failed > 0) failures.push(...describeFailures(projects.get(projectName), projectName, target));
    }
  }
  // Last, because the end of a long log is what people read.
  for (const failure of failures) say(failure);
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
  say(`${totals.passed} passed, ${totals.failed} failed`);
});

/** @returns the folder of every project, or of the one that was asked for, by name */
function listProjects(only) {
  const { stdout } = run(nx, ['graph', '--print'], {
    env: nxEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const nodes = Object.values(JSON.parse(stdout).graph.nodes);
  const wanted = nodes.filter(({ name }) => !only || name === only || name === `@moothall/${only}`);
  return new Map(
    wanted.map(({ name, data }) => [name, { folder: path.join(root, data.root), targets: Object.keys(data.targets) }]),
  );
}

/** Runs some targets of all projects, to the end even when one fails. @returns each task, and whether it succeeded */
async function runTargets(targets, parallel, projects, turnsUrl) {
  const expected = [...projects].flatMap(([projectName, project]) =>
    targets.filter((target) => project.targets.includes(target)).map((target) => ({ projectName, target })),
  );
  if (expected.length === 0) return [];
  say(`\n== ${targets.join(', ')}`);
  for (const { projectName, target } of expected) rmSync(reportOf(projects.get(projectName), target), { force: true });
  const report = path.join(mkdtempSync(path.join(tmpdir(), 'moothall-tasks-')), 'succeeded.json');
  const names = [...new Set(expected.map(({ projectName }) => projectName))];
  // A MongoDB, NATS or Redis of the environment is no input that the cache knows of.
  const isCached = !process.env.MONGODB_URI && !process.env.NATS_URL && !process.env.REDIS_URL;
  const options = [`--parallel=${parallel}`, '--outputStyle=static', ...(isCached ? [] : ['--skip-nx-cache'])];
  const env = {
    ...nxEnvironment,
    MOOTHALL_TASK_REPORT: report,
    ...(names.length > 1 && { JEST_WORKERS: '1' }),
    ...(turnsUrl && { TURNS_URL: turnsUrl }),
  };
  // Set-up has built all; of two runs beside each other one would take away, for a moment, what the other has started.
  const args = ['run-many', '-t', ...targets, '-p', ...names, '--exclude-task-dependencies', ...options];
  await once(spawn(nx, args, { cwd: root, stdio: 'inherit', env }), 'close');
  // What Nx says nothing of did not run, because something before it failed.
  const succeeded = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(path.dirname(report), { recursive: true });
  return expected.map((task) => ({ ...task, isWell: succeeded.includes(`${task.projectName}:${task.target}`) }));
}

function reportOf(project, target) {
  return path.join(project.folder, 'test-output', jestReports[target] ?? 'none.json');
}

/** @returns the tests of a Jest target, or the target itself as one; a target that failed counts one failure at least */
function countTask(project, target, isWell) {
  const report = reportOf(project, target);
  if (!existsSync(report))
    return { passed: isWell && !jestReports[target] ? 1 : 0, failed: isWell && !jestReports[target] ? 0 : 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: isWell ? failed : Math.max(failed, 1) };
}

/** @returns what failed in a target: each test by its full name with the beginning of why, or the target itself */
function describeFailures(project, projectName, target) {
  const report = reportOf(project, target);
  if (!existsSync(report)) return [`FAILED ${projectName}:${target}`];
  const suites = JSON.parse(readFileSync(report, 'utf8')).testResults.filter(({ status }) => status === 'failed');
  const described = suites.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const reasons = failed.map(({ fullName, failureMessages }) => [`› ${fullName}`, failureMessages[0] ?? '']);
    const named = reasons.length > 0 ? reasons : [['', message]];
    return named.map(([test, reason]) => `FAILED ${path.relative(root, name)} ${test}\n${withoutLibraries(reason)}`);
  });
  return described.length > 0 ? described : [`FAILED ${projectName}:${target}`];
}

/** @returns the first lines of a reason, its trace without the frames of libraries */
function withoutLibraries(reason) {
  const lines = reason
    .split('\n')
    .filter((line) => !line.includes('/node_modules/') && !line.includes('(node:internal'));
  return lines.slice(0, 20).join('\n');
}
