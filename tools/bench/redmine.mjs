/**
 * Redmine of Debian behind Puma, on a database of its own. Everything is in one folder: a copy of the application, its
 * settings and its PostgreSQL cluster. The database and the settings of the system stay unchanged.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, memoryOf } from './stack.mjs';

const debian = '/usr/share/redmine';
const clusters = '/usr/lib/postgresql';
const instance = 'bench';
const workers = 2;
/** The defaults of Rails and Puma. */
const threads = 5;
const readyWithinMs = 60_000;

/** As root, PostgreSQL and Redmine run as another user, who may have no access to a TMPDIR of root. */
export const folderOfRedmine = process.getuid?.() === 0 ? '/tmp' : tmpdir();

/** The newest installed version. */
function databaseProgram(name) {
  const versions = readdirSync(clusters).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(clusters, version, 'bin', name)).find(existsSync);
}

/** PostgreSQL refuses to run as root: its user gets the folder. @returns options of setpriv for that user */
function handOver(folder) {
  if (process.getuid() !== 0) return [];
  const idOf = (option) => execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }).trim();
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** Runs and starts programs of the instance. They end with this process, also if it is killed. */
function programsOf(folder) {
  const prefix = [...handOver(folder), '--pdeathsig', 'INT'];
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: folder,
    RAILS_ENV: 'production',
    REDMINE_INSTANCE: instance,
    // Nothing reads a dump of the schema.
    SCHEMA: '/dev/null',
  };
  const options = { cwd: path.join(folder, 'app'), env, maxBuffer: 1 << 26 };
  const started = [];
  return {
    run: (args, input = '') =>
      execFileSync('setpriv', [...prefix, ...args], { ...options, input, encoding: 'utf8', stdio: 'pipe' }),
    async start(args, isReady) {
      const program = spawn('setpriv', [...prefix, ...args], { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
      started.push(program);
      const until = performance.now() + readyWithinMs;
      while (!(await isReady())) {
        if (hasEnded(program)) throw new Error(`${args[0]} ended with ${program.exitCode ?? program.signalCode}`);
        if (performance.now() > until) throw new Error(`${args[0]} was not ready within ${readyWithinMs / 1000} s`);
        await delay(100);
      }
    },
    memory: () => started.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
    async stop() {
      for (const program of started.reverse()) {
        if (hasEnded(program)) continue;
        program.kill('SIGINT');
        await once(program, 'exit');
      }
    },
  };
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** The copy reads no setting of the system, since Redmine takes its own folder from the path of its files. */
function copyApplication(folder) {
  const app = path.join(folder, 'app');
  cpSync(debian, app, { recursive: true, verbatimSymlinks: true });
  for (const link of ['Gemfile.lock', 'instances', 'config/database.yml'])
    rmSync(path.join(app, link), { force: true });
  const own = path.join(app, 'instances', instance);
  for (const name of ['config', 'log', 'files', 'tmp', 'public/plugin_assets']) {
    mkdirSync(path.join(own, name), { recursive: true });
  }
  const gemfile = path.join(app, 'Gemfile');
  writeFileSync(gemfile, readFileSync(gemfile, 'utf8').replaceAll(debian, app));
  writeFileSync(path.join(app, 'Gemfile.local'), "gem 'puma'\n");
  writeFileSync(path.join(app, 'config/additional_environment.rb'), 'config.log_level = :warn\n');
  writeFileSync(path.join(own, 'config/secret_key.txt'), randomBytes(64).toString('hex'));
  const database = { adapter: 'postgresql', database: 'redmine', host: folder, username: 'redmine', encoding: 'utf8' };
  // JSON is YAML.
  const settings = JSON.stringify({ production: { ...database, pool: threads } });
  writeFileSync(path.join(own, 'config/database.yml'), settings);
  copyFileSync(new URL('./redmine-fill.rb', import.meta.url), path.join(folder, 'fill.rb'));
}

/** The default settings of PostgreSQL, on a socket in the folder. */
async function startDatabase({ run, start }, folder) {
  const data = path.join(folder, 'data');
  run([databaseProgram('initdb'), '-D', data, '-U', 'redmine', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const settings = ['listen_addresses=', 'log_min_messages=fatal'].flatMap((setting) => ['-c', setting]);
  const isReady = () => {
    try {
      run([databaseProgram('pg_isready'), '-q', '-h', folder, '-U', 'redmine', '-d', 'postgres']);
      return true;
    } catch {
      return false;
    }
  };
  await start([databaseProgram('postgres'), '-D', data, '-k', folder, ...settings], isReady);
}

/** @returns the key of the administrator, and ids of the records */
function fill({ run }, folder, plan) {
  run([databaseProgram('createdb'), '-h', folder, '-U', 'redmine', 'redmine']);
  run(['ruby', 'bin/rake', 'db:migrate']);
  const output = run(['ruby', 'bin/rails', 'runner', path.join(folder, 'fill.rb')], JSON.stringify(plan));
  return JSON.parse(output.trim().split('\n').at(-1));
}

async function startPuma({ start }, folder, headers) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = path.join(folder, 'puma.rb');
  const lines = ["environment 'production'", `bind 'tcp://127.0.0.1:${port}'`, `workers ${workers}`];
  writeFileSync(settings, [...lines, `threads ${threads}, ${threads}`, 'preload_app!', ''].join('\n'));
  const isReady = () =>
    fetch(`${url}/users/current.json`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
  await start(['puma', '-C', settings], isReady);
  return url;
}

/**
 * @param folder empty @param plan records to create, see `peer-data.mjs` @returns its URL, the headers of the
 *   administrator, the ids of the records, its memory, and a function to stop it
 */
export async function startRedmine(folder, plan) {
  copyApplication(folder);
  const programs = programsOf(folder);
  try {
    await startDatabase(programs, folder);
    const { key, ...records } = fill(programs, folder, plan);
    const headers = { 'x-redmine-api-key': key };
    const url = await startPuma(programs, folder, headers);
    return { url, headers, records, memory: programs.memory, stop: programs.stop };
  } catch (error) {
    await programs.stop();
    throw error;
  }
}
