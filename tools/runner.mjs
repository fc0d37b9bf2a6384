/**
 * A small runner: runs the scripts of pipeline jobs with `sh` on this machine, without any isolation. For trying out
 * pipelines and for tests; run only scripts that you trust.
 *
 *   node tools/runner.mjs --url http://127.0.0.1:8080 --registration-token TOKEN      registers a runner, and runs its jobs
 *   node tools/runner.mjs --url http://127.0.0.1:8080 --token RUNNER_TOKEN            runs the jobs of a runner
 *
 *   --clone-token TOKEN   clones with a personal token instead of the job's own
 *   --tags a,b            when registering: also accepts jobs with these tags
 *   --once                ends after one job
 *   --caches FOLDER       stores caches there; without it, jobs have no caches
 */
import './help.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fetchArtifacts, restoreCaches, sendArtifacts, storeCaches } from './runner/job-files.mjs';

const pollMs = 3000;
const sendMs = 1000;
const maxTraceBytes = 4 * 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'registration-token': { type: 'string' },
    'clone-token': { type: 'string' },
    tags: { type: 'string' },
    once: { type: 'boolean', default: false },
    caches: { type: 'string' },
  },
});
if (!options.url || !(options.token || options['registration-token'])) {
  process.stderr.write('runner: --url and one of --token, --registration-token are needed\n');
  process.exit(2);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

async function call(method, route, { headers, body } = {}) {
  const response = await fetch(`${options.url}/api/v4${route}`, { method, headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

const callJson = (method, route, body) =>
  call(method, route, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function register() {
  const input = { token: options['registration-token'], description: 'reference runner', tag_list: options.tags };
  const { status, body } = await callJson('POST', '/runners', input);
  if (status !== 201) throw new Error(`registering failed: ${status} ${JSON.stringify(body)}`);
  process.stdout.write(`runner: registered as ${body.id}\n`);
  return body.token;
}

/** The output of a job: sent in order and periodically, and never twice. */
class Trace {
  #bytes = Buffer.alloc(0);
  #sent = 0;
  #secrets;

  constructor(job) {
    this.job = job;
    this.#secrets = job.variables.filter(({ masked, value }) => masked && value).map(({ value }) => value);
  }

  write(chunk) {
    let text = chunk.toString();
    for (const secret of this.#secrets) text = text.replaceAll(secret, '[MASKED]');
    if (this.#bytes.length < maxTraceBytes) this.#bytes = Buffer.concat([this.#bytes, Buffer.from(text)]);
  }

  /** @returns false once the server reports that the job is over */
  async send() {
    while (this.#sent < this.#bytes.length) {
      const headers = {
        'content-type': 'text/plain',
        'job-token': this.job.token,
        'content-range': `${this.#sent}-${this.#bytes.length - 1}`,
      };
      const body = this.#bytes.subarray(this.#sent);
      const answer = await call('PATCH', `/jobs/${this.job.id}/trace`, { headers, body });
      if (answer.status === 403) return false;
      if (answer.status !== 202 && answer.status !== 416) throw new Error(`trace refused: ${answer.status}`);
      this.#sent = Number(/-(\d+)$/.exec(answer.headers.get('range'))?.[1]);
    }
    return true;
  }
}

/** Runs a command; @returns its exit code, or null if it was ended from outside */
function run(command, args, { cwd, env, trace, signal }) {
  return new Promise((resolve) => {
    // A process group, so that children of a script end with it.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    };
    signal.addEventListener('abort', end, { once: true });
    child.stdout.on('data', (chunk) => trace.write(chunk));
    child.stderr.on('data', (chunk) => trace.write(chunk));
    child.once('error', (error) => trace.write(`${error.message}\n`));
    child.once('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve(signal.aborted ? null : (code ?? 1));
    });
  });
}

function cloneUrl({ git_info }) {
  if (!options['clone-token']) return git_info.repo_url;
  const url = new URL(git_info.repo_url);
  url.username = 'oauth2';
  url.password = options['clone-token'];
  return url.href;
}

async function checkout(job, folder, context) {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const { refspecs, depth, sha } = job.git_info;
  const steps = [
    ['init', '--quiet', folder],
    ['-C', folder, 'remote', 'add', 'origin', cloneUrl(job)],
    ['-C', folder, 'fetch', '--quiet', `--depth=${depth}`, 'origin', ...refspecs],
    ['-C', folder, 'checkout', '--quiet', '--detach', sha],
  ];
  for (const args of steps) {
    if ((await run('git', args, { ...context, env })) !== 0) return false;
  }
  return true;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Later variables win; a variable of type file becomes the path of a file with its value. */
function environment(job, folder, secretsFolder) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME ?? folder, CI_PROJECT_DIR: folder };
  for (const { key, value, file } of job.variables) {
    const place = path.join(secretsFolder, key);
    if (file) writeFileSync(place, value, { mode: 0o600 });
    env[key] = file ? place : value;
  }
  return env;
}

const releaseProgram = path.join(import.meta.dirname, 'runner', 'release-cli.mjs');

/** Adds the program for releases of a job to the PATH. */
function withReleaseProgram(job, secretsFolder, env) {
  if (!job.steps.some(({ name }) => name === 'release')) return env;
  const folder = path.join(secretsFolder, 'bin');
  mkdirSync(folder);
  const program = path.join(folder, 'release-cli');
  writeFileSync(program, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(releaseProgram)} "$@"\n`, {
    mode: 0o700,
  });
  return { ...env, PATH: `${folder}:${env.PATH}` };
}

/** Runs before the sources are fetched. */
async function runHooks(job, { folder, secretsFolder, env }, context) {
  const script = job.hooks?.find(({ name }) => name === 'pre_get_sources_script')?.script ?? [];
  if (script.length === 0) return true;
  mkdirSync(folder);
  return (await runScript(script, path.join(secretsFolder, 'hook.sh'), { ...context, cwd: folder, env })) === 0;
}

function runScript(script, file, context) {
  const lines = script.map((line) => `printf '%s\\n' ${quoted(`$ ${line}`)}\n${line}`);
  writeFileSync(file, ['set -e', ...lines, ''].join('\n'));
  chmodSync(file, 0o700);
  return run('sh', [file], context);
}

async function runSteps(job, folder, secretsFolder, env, context) {
  let result = 0;
  for (const [index, step] of job.steps.entries()) {
    if (step.when === 'on_success' && result !== 0) continue;
    const file = path.join(secretsFolder, `step-${index}.sh`);
    const code = await runScript(step.script, file, { ...context, cwd: folder, env });
    if (!step.allow_failure) result = result || code;
    if (code === null) return null;
  }
  return result;
}

/** @returns the result for the server */
async function work(job, trace, signal) {
  const root = mkdtempSync(path.join(tmpdir(), 'runner-'));
  const folder = path.join(root, 'project');
  const secretsFolder = path.join(root, 'job');
  mkdirSync(secretsFolder, { mode: 0o700 });
  try {
    const context = { trace, signal };
    const env = withReleaseProgram(job, secretsFolder, environment(job, folder, secretsFolder));
    if (!(await runHooks(job, { folder, secretsFolder, env }, context)))
      return { state: 'failed', failure_reason: 'script_failure' };
    if (!(await checkout(job, folder, context))) return { state: 'failed', failure_reason: 'runner_system_failure' };
    const print = (line) => trace.write(`runner: ${line}\n`);
    const tracked = new Set(execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8' }).split('\0'));
    if (options.caches) restoreCaches(options.caches, job, { folder, env, print });
    await fetchArtifacts(options.url, job, folder, print);
    const code = await runSteps(job, folder, secretsFolder, env, context);
    const kept = { folder, env, tracked, hasSucceeded: code === 0, print };
    if (options.caches && code !== null) storeCaches(options.caches, job, kept);
    if (code !== null && !(await sendArtifacts(options.url, job, kept)) && code === 0)
      return { state: 'failed', failure_reason: 'runner_system_failure' };
    if (code === 0) return { state: 'success', exit_code: 0 };
    if (code === null) return { state: 'failed', failure_reason: 'job_execution_timeout' };
    return { state: 'failed', failure_reason: 'script_failure', exit_code: code };
  } catch (error) {
    // An error of the server or its result is not a failure of the script, and does not end the runner.
    trace.write(`runner: ${error.message}\n`);
    return { state: 'failed', failure_reason: 'runner_system_failure' };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function execute(job) {
  process.stdout.write(`runner: job ${job.id} ${job.job_info.name}\n`);
  const trace = new Trace(job);
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, stopping.signal, AbortSignal.timeout(job.runner_info.timeout * 1000)]);
  const sender = (async () => {
    for (;;) {
      if (!(await trace.send())) ending.abort();
      if (ending.signal.aborted) return;
      await delay(sendMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  const result = await work(job, trace, signal);
  trace.write(result.state === 'success' ? 'Job succeeded\n' : `Job failed: ${result.failure_reason}\n`);
  ending.abort();
  await sender;
  await trace.send();
  const { status } = await callJson('PUT', `/jobs/${job.id}`, { token: job.token, ...result });
  process.stdout.write(`runner: job ${job.id} ${status === 200 ? result.state : 'was ended by the server'}\n`);
}

const token = options.token ?? (await register());
const info = { name: 'reference-runner', version: '1.0.0', platform: process.platform, architecture: process.arch };
while (!stopping.signal.aborted) {
  const { status, body } = await callJson('POST', '/jobs/request', { token, info });
  if (status === 201) await execute(body);
  else if (status !== 204) throw new Error(`asking for a job failed: ${status} ${JSON.stringify(body)}`);
  if (status === 201 && options.once) break;
  if (status === 204) await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => {});
}
