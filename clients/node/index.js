/**
 * A Moothall for tests, in one call. See docs/testing-with-moothall.md.
 * @module start-moothall
 */
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtemp, rm, writeFile } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

const usualFolder = path.resolve(__dirname, '../..');
const keptOutput = 20_000;

/** @type {import('.').startMoothall} */
async function startMoothall({ seed, env, folder = usualFolder, readyWithinMs = 300_000, onLog } = {}) {
  const own = await mkdtemp(path.join(tmpdir(), 'start-moothall-'));
  const args = [path.join(folder, 'tools/start.mjs'), '--ephemeral', '--until-eof'];
  if (seed !== undefined) args.push('--seed', await fileOf(seed, own));
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').finally(() => rm(own, { recursive: true, force: true }));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const told = await untilReady(child, readyWithinMs, onLog);
    return {
      url: told.url,
      token: told.token,
      username: told.username,
      password: told.password,
      sshPort: told.ssh_port,
      registryUrl: told.registry_url,
      seed: told.seed ?? { users: {}, groups: {}, projects: {}, runners: [] },
      reset: () => reset(told),
      stop,
      [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function reset({ url, token }) {
  const answer = await fetch(`${url}/-/reset`, { method: 'POST', headers: { 'private-token': token } });
  if (!answer.ok) throw new Error(`Moothall was not set back: ${answer.status} ${await answer.text()}`);
}

/** JSON is YAML, too. */
async function fileOf(seed, folder) {
  if (typeof seed === 'string') return path.resolve(seed);
  const file = path.join(folder, 'seed.yaml');
  await writeFile(file, JSON.stringify(seed, null, 2));
  return file;
}

function untilReady(child, withinMs, onLog = () => undefined) {
  let [output, words] = ['', ''];
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`Moothall ${why}:\n${words}`));
    const timer = setTimeout(() => fail(`was not ready within ${withinMs / 1000} s`), withinMs);
    child.once('exit', () => fail('ended at its start'));
    child.once('error', reject);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      words = (words + text).slice(-keptOutput);
      onLog(text);
    });
    const listen = (text) => {
      output += text;
      if (!output.includes('\n')) return;
      clearTimeout(timer);
      child.stdout.off('data', listen).resume();
      try {
        resolve(JSON.parse(output.slice(0, output.indexOf('\n'))));
      } catch {
        fail('said something else than how to reach it');
      }
    };
    child.stdout.setEncoding('utf8').on('data', listen);
  });
}

module.exports = { startMoothall };
