/**
 * `npm test [-- --project <name>]`: sets up what is missing, then runs lint, type check and unit tests, then integration
 * and end-to-end tests, and the fuzzer for two minutes. At the end it says again what failed; the last line is
 * `N passed, N failed`: every test, and each project linted or type-checked as one. With `--replicas` it runs the
 * end-to-end tests alone, on two processes of every service behind two gateways.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installRegistry, nxEnvironment, root, run, runTool, say, setUp } from './set-up.mjs';
import { installTestPrograms } from './test-programs.mjs';

const processors = availableParallelism();
/** What is wrong in the text is told first. */
const checks = ['lint', 'lint-promises', 'typecheck', 'test'];
/**
 * Tests that drive servers. Two processors are kept busy by two at a time; more would only take longer each, and reach
 * their bounds of time. One of the takers takes what is left from the front, the others from the back, so that those that
 * start whole servers run beside each other only when nothing else is left.
 */
const driving = ['e2e', 'own-servers', 'fuzz', 'integration'];
const takers = 1 + Math.max(1, Math.floor(processors / 2));
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
  const tasks = replicas
    ? await runTasks(tasksOf(['replicas'], projects), projects, 1)
    : [
        ...(await runTasks(tasksOf(checks, projects), projects, Math.max(2, processors))),
        ...(await runFromBothEnds(projects)),
      ];
  for (const { projectName, target, isWell } of tasks) {
    const counts = countTask(projects.get(projectName), target, isWell);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    if (counts.failed > 0) failures.push(...describeFailures(projects.get(projectName), projectName, target));
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

/** Runs what drives servers. @returns each task, and whether it succeeded */
async function runFromBothEnds(projects) {
  const left = driving.flatMap((target) => tasksOf([target], projects));
  const done = [];
  const take = async (next) => {
    for (let task = next(); task; task = next()) done.push(...(await runTasks([task], projects, 1)));
  };
  const fromTheBack = Array.from({ length: takers - 1 }, () => take(() => left.pop()));
  await Promise.all([take(() => left.shift()), ...fromTheBack]);
  return done;
}

function tasksOf(targets, projects) {
  return [...projects].flatMap(([projectName, project]) =>
    targets.filter((target) => project.targets.includes(target)).map((target) => ({ projectName, target })),
  );
}

/** Runs some targets of some projects, to the end even when one fails. @returns each task, and whether it succeeded */
async function runTasks(tasks, projects, parallel) {
  if (tasks.length === 0) return [];
  const targets = [...new Set(tasks.map(({ target }) => target))];
  const names = [...new Set(tasks.map(({ projectName }) => projectName))];
  say(`\n== ${targets.join(', ')} of ${names.length === 1 ? names[0] : 'all projects'}`);
  for (const { projectName, target } of tasks) rmSync(reportOf(projects.get(projectName), target), { force: true });
  const report = path.join(mkdtempSync(path.join(tmpdir(), 'moothall-tasks-')), 'succeeded.json');
  // A MongoDB, NATS or Redis of the environment is no input that the cache knows of.
  const isCached = !process.env.MONGODB_URI && !process.env.NATS_URL && !process.env.REDIS_URL;
  const options = [`--parallel=${parallel}`, '--outputStyle=static', ...(isCached ? [] : ['--skip-nx-cache'])];
  const env = {
    ...nxEnvironment,
    MOOTHALL_TASK_REPORT: report,
    ...(projects.size > 1 && { JEST_WORKERS: '1' }),
  };
  // Set-up has built all; of two runs beside each other one would take away, for a moment, what the other has started.
  const args = ['run-many', '-t', ...targets, '-p', ...names, '--exclude-task-dependencies', ...options];
  await once(spawn(nx, args, { cwd: root, stdio: 'inherit', env }), 'close');
  // What Nx says nothing of did not run, because something before it failed.
  const succeeded = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(path.dirname(report), { recursive: true });
  return tasks.map((task) => ({ ...task, isWell: succeeded.includes(`${task.projectName}:${task.target}`) }));
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
