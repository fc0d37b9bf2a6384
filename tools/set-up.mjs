/** Requirements of `npm start` and `npm test`: packages, programs, built projects. Plain Node. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const buildStamp = path.join(root, 'node_modules/.cache/moothall/build');
/** A release is already built, and needs no packages for building or testing. */
const isRelease = !existsSync(path.join(root, 'nx.json'));

/** The reason of a failure, in one line for the user. */
export class SetUpError extends Error {}

/** Nx without its daemon, plugin processes and terminal output: no process of it remains. */
export const nxEnvironment = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' };

/** Runs all steps with progress on the console. @throws SetUpError */
export function setUp() {
  requireNode();
  installPackages();
  installPrograms();
  if (!isRelease) build();
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetUpError(`Node 20.19 or newer is needed; this is ${process.versions.node}.`);
}

function installPackages() {
  // npm has installed the dependencies of its package `moothall`, which has no lock file.
  if (!existsSync(path.join(root, 'package-lock.json')) || isInstalled()) return;
  printStatus('Installing npm packages ...');
  // Not `npm ci`: it refuses a lock file without the optional packages of other platforms that the registry lacks. With
  // --no-save the versions are those of the lock file, too, and the file stays unchanged.
  const { status } = runWithProgress('packages', 0, 'npm', [
    'install',
    '--no-save',
    isRelease ? '--omit=dev' : '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (status !== 0) throw new SetUpError('npm could not install the packages; its messages are above.');
}

/** Compares npm's own list of installed packages with the lock file, since a checkout changes modification times. */
function isInstalled() {
  const listFile = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(listFile)) return false;
  const installed = readJson(listFile).packages;
  return wanted().every(([where, { version, link, optional }]) => {
    if (link) return existsSync(path.join(root, where));
    // Optional ones are for other platforms.
    return installed[where]?.version === version || (optional && !installed[where]);
  });
}

/** @returns entries of the lock file to install, by folder */
function wanted() {
  const { packages } = readJson(path.join(root, 'package-lock.json'));
  return Object.entries(packages).filter(
    ([where, { dev }]) => where.startsWith('node_modules/') && !(dev && isRelease),
  );
}

/** @returns folders that an installation fills on every platform */
export function wantedPackages() {
  const everywhere = wanted().filter(([, { optional, link }]) => !(optional || link));
  return everywhere.map(([where]) => path.join(root, where));
}

function installPrograms() {
  const missing = [
    !process.env.NATS_URL && 'nats-server',
    !process.env.REDIS_URL && 'redis-server',
    // They compress archives.
    'bzip2',
    'pigz',
  ].filter((program) => program && !isOnPath(program));
  if (missing.length === 0) return;
  const asRoot = findWayToRoot();
  if (!isOnPath('apt-get') || !asRoot) {
    const command = `${process.platform === 'darwin' ? 'brew' : 'sudo apt-get'} install ${missing.map(packageOf).join(' ')}`;
    const elsewhere = missing.some((program) => program.endsWith('-server'))
      ? ', or set NATS_URL and REDIS_URL to servers that run already'
      : '';
    throw new SetUpError(`Not installed: ${missing.join(', ')}. Run \`${command}\`${elsewhere}.`);
  }
  printStatus(`Installing ${missing.join(' and ')} with apt ...`);
  withoutStartingServices(asRoot, missing, () => installWithApt(asRoot, missing));
  const still = missing.filter((program) => !isOnPath(program));
  if (still.length > 0) throw new SetUpError(`apt could not install ${still.join(' and ')}; its messages are above.`);
  installRegistry();
}

const packageOf = (program) => (process.platform === 'darwin' && program === 'redis-server' ? 'redis' : program);

/** Without it the server starts without a container registry: it is installed with the others, or with the tests. */
export function installRegistry() {
  const asRoot = findWayToRoot();
  if (process.env.REGISTRY_URL || isOnPath('docker-registry') || !isOnPath('apt-get') || !asRoot) return;
  printStatus('Installing docker-registry with apt ...');
  tolerate(() => {
    withoutStartingServices(asRoot, ['docker-registry'], () => installWithApt(asRoot, ['docker-registry']));
  });
}

/** Optional programs may fail to install; the failure is printed. */
export function tolerate(install) {
  try {
    install();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    printStatus(error.message);
  }
}

export function installWithApt(asRoot, packages) {
  const apt = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=120'];
  runAll([
    [...apt, 'update'],
    [...apt, 'install', '-y', '--no-install-recommends', ...packages],
  ]);
}

/** @returns the prefix of a command that runs it as root, or undefined if there is none */
export function findWayToRoot() {
  if (process.getuid?.() === 0) return [];
  if (!isOnPath('sudo')) return undefined;
  const asks = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0;
  return asks && !process.stdin.isTTY ? undefined : ['sudo'];
}

/**
 * Debian enables and starts a service with its package; only the programs are needed, because Moothall runs its own.
 */
export function withoutStartingServices(asRoot, services, install) {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = !existsSync(policy);
  if (isOurs) runAll([[...asRoot, 'sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`]]);
  try {
    install();
  } finally {
    if (isOurs) runAll([[...asRoot, 'rm', '-f', policy]]);
  }
  if (existsSync('/run/systemd/system')) runAll([[...asRoot, 'systemctl', 'disable', '--quiet', ...services]]);
}

function build() {
  const projects = wantedProjects();
  const state = describeSources(projects);
  const isComplete = existsSync(buildStamp) && projects.every((project) => existsSync(path.join(project, 'dist')));
  if (isComplete && readFileSync(buildStamp, 'utf8') === state) return;
  printStatus('Building ...');
  // A build that fails half-way must not count as done.
  rmSync(buildStamp, { force: true });
  const nx = path.join(root, 'node_modules/.bin/nx');
  const args = ['run-many', '-t', 'build', '--outputStyle=static'];
  const { status } = runWithProgress('builds', Date.now(), nx, args, { env: nxEnvironment });
  if (status !== 0) throw new SetUpError('The build failed; its messages are above.');
  mkdirSync(path.dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, state);
}

/** Changes with every source file; asking Nx takes ten times as long. */
function describeSources(projects) {
  const hash = createHash('sha256');
  const pages = readdirSync(path.join(root, 'tools/reference')).map((file) => `tools/reference/${file}`);
  for (const file of [
    'package-lock.json',
    'nx.json',
    '.swcrc',
    'tools/bundle.mjs',
    'tools/bundle-names.mjs',
    'tools/reference.mjs',
    ...pages,
  ])
    hash.update(describe(path.join(root, file)));
  for (const project of projects) {
    hash.update(describe(path.join(project, 'package.json')));
    for (const entry of readdirSync(path.join(project, 'src'), { recursive: true }).sort()) {
      hash.update(describe(path.join(project, 'src', entry)));
    }
  }
  return hash.digest('hex');
}

function describe(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}\n`;
}

/** @returns folders of the projects with a build */
export function wantedProjects() {
  const folders = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(path.join(root, kind)).map((name) => path.join(root, kind, name)),
  );
  return folders.filter((folder) => readBuildTarget(folder) && existsSync(path.join(folder, 'src')));
}

function readBuildTarget(folder) {
  const file = path.join(folder, 'package.json');
  return existsSync(file) && readJson(file).nx?.targets?.build;
}

export function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => {
    try {
      const file = path.join(folder, program);
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

function runAll(commands) {
  for (const [command, ...args] of commands) {
    const { status } = runQuietly(command, args);
    if (status !== 0) throw new SetUpError(`This failed: ${command} ${args.join(' ')}`);
  }
}

/** Runs a long command, and prints its progress. */
function runWithProgress(kind, since, command, args, options) {
  const watcher = spawn(process.execPath, [path.join(import.meta.dirname, 'progress.mjs'), kind, String(since)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const result = runQuietly(command, args, options);
  watcher.kill();
  return result;
}

/** Runs a command without its output, which is printed to stderr if it fails. Stdout is for a tool's own results. */
export function runQuietly(command, args, options = {}) {
  const result = run(command, args, { stdio: ['inherit', 'pipe', 'pipe'], maxBuffer: 1 << 28, ...options });
  if (result.status !== 0) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  return result;
}

export function printStatus(text) {
  process.stderr.write(`${text}\n`);
}

export function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs a tool's main function; an error that the user can fix is printed in one line. */
export async function runTool(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
