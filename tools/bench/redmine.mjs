/**
 * Redmine of Debian behind Puma, on a database of its own. Everything is in one folder: a copy of the application, its
 * settings and its PostgreSQL cluster. The database and the settings of the system stay unchanged.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, memoryOf } from './stack.mjs';

const debian = '/usr/share/redmine';
const clusters = '/usr/lib/postgresql';
const instance = 'bench';
const workers = 2;
/** The defaults of Rails and Puma. */
const threads = 5;

/** The newest installed version. */
function databaseProgram(name) {
  const versions = readdirSync(clusters).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => path.join(clusters, version, 'bin', name)).find(existsSync);
}

/** PostgreSQL refuses to run as root. */
function ownerOf(folder) {
  if (process.getuid() !== 0) return [];
  const idOf = (option) => execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }).trim();
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** Programs with the environment of the instance. They end with this process. */
function programsOf(folder) {
  const prefix = [...ownerOf(folder), '--pdeathsig', 'INT'];
  const options = {
    cwd: path.join(folder, 'app'),
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      HOME: folder,
      RAILS_ENV: 'production',
      REDMINE_INSTANCE: instance,
      // The schema does not change.
      SCHEMA: '/dev/null',
    },
  };
  return {
    run: (args, input = '') =>
      execFileSync('setpriv', [...prefix, ...args], {
        ...options,
        input,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
        stdio: 'pipe',
      }),
    start: (args) => spawn('setpriv', [...prefix, ...args], { ...options, stdio: ['ignore', 'ignore', 'inherit'] }),
  };
}

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
  const database = [
    'adapter: postgresql',
    'database: redmine',
    `host: ${folder}`,
    'username: redmine',
    'encoding: utf8',
  ];
  const lines = ['production:', ...database.map((line) => `  ${line}`), `  pool: ${threads}`, ''];
  writeFileSync(path.join(own, 'config/database.yml'), lines.join('\n'));
  copyFileSync(new URL('./redmine-fill.rb', import.meta.url), path.join(folder, 'fill.rb'));
}

/** Stops a program with a signal, unless it has ended. */
async function end(program, signal) {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill(signal);
  await once(program, 'exit');
}

async function until(isReady, program, name) {
  while (!(await isReady())) {
    if (program.exitCode !== null) throw new Error(`${name} ended with ${program.exitCode}`);
    await delay(100);
  }
}

/** The default settings of PostgreSQL, on a socket in the folder. */
async function startDatabase({ run, start }, folder) {
  const data = path.join(folder, 'data');
  run([databaseProgram('initdb'), '-D', data, '-U', 'redmine', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const database = start([
    databaseProgram('postgres'),
    '-D',
    data,
    '-k',
    folder,
    '-c',
    'listen_addresses=',
    '-c',
    'log_min_messages=fatal',
  ]);
  const isReady = () => {
    try {
      run([databaseProgram('pg_isready'), '-q', '-h', folder, '-U', 'redmine', '-d', 'postgres']);
      return true;
    } catch {
      return false;
    }
  };
  await until(isReady, database, 'PostgreSQL');
  return database;
}

function fill({ run }, folder, plan) {
  run([databaseProgram('createdb'), '-h', folder, '-U', 'redmine', 'redmine']);
  run(['ruby', 'bin/rake', 'db:migrate']);
  const output = run(['ruby', 'bin/rails', 'runner', path.join(folder, 'fill.rb')], JSON.stringify(plan));
  return JSON.parse(output.trim().split('\n').at(-1));
}

async function startPuma({ start }, folder, key) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = path.join(folder, 'puma.rb');
  const lines = ["environment 'production'", `bind 'tcp://127.0.0.1:${port}'`, `workers ${workers}`];
  writeFileSync(settings, [...lines, `threads ${threads}, ${threads}`, 'preload_app!', 'quiet', ''].join('\n'));
  const puma = start(['puma', '-C', settings]);
  const isReady = () =>
    fetch(`${url}/users/current.json`, { headers: { 'x-redmine-api-key': key } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, puma, 'Puma');
  return { url, puma };
}

/**
 * @param folder empty @param plan records to create, see `peer-data.mjs` @returns its URL, the headers of the
 *   administrator, the ids of the records, its memory, and a function to stop it
 */
export async function startRedmine(folder, plan) {
  copyApplication(folder);
  const programs = programsOf(folder);
  const database = await startDatabase(programs, folder);
  try {
    const { key, ...records } = fill(programs, folder, plan);
    const { url, puma } = await startPuma(programs, folder, key);
    return {
      url,
      headers: { 'x-redmine-api-key': key },
      records,
      memory: () => memoryOf(puma.pid) + memoryOf(database.pid),
      async stop() {
        await end(puma, 'SIGINT');
        await end(database, 'SIGINT');
      },
    };
  } catch (error) {
    await end(database, 'SIGINT');
    throw error;
  }
}
