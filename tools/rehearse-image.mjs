/**
 * `npm run rehearse:image`: does what deploy/Dockerfile says, without Docker, in a clean folder: the committed files, the
 * commands of its build stage, then its command on what comes out of it, until it says that it is ready. Takes minutes.
 * What it cannot tell is whether the base images have what the commands need.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './set-up.mjs';

const readyWithinMs = 60_000;

const [build, final] = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8')
  .replaceAll(/\\\n/g, ' ')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) =>
    stage.split('\n').flatMap((line) => {
      const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      return name ? [{ name, rest }] : [];
    }),
  );
const all = (stage, name) => stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function untilReady(url, child) {
  for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await delay(200)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error(`it was not ready within ${readyWithinMs / 1000} s`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-image-'));
try {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  for (const command of all(build, 'RUN')) {
    console.log(command);
    // Nothing of the checkout: what is installed there would be found by programs that look upwards.
    execFileSync('sh', ['-euc', command], { cwd: folder, stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } });
  }
  const from = path.join(folder, /--from=build .*\/moothall\/(\S+) /.exec(all(final, 'COPY')[0])[1]);
  const [size] = execFileSync('du', ['-sm', from], { encoding: 'utf8' }).split('\t');
  const settings = Object.fromEntries(
    all(final, 'ENV').flatMap((line) => line.split(' ').map((entry) => entry.split(/=(.*)/s))),
  );
  const port = await freePort();
  const env = {
    ...settings,
    HOST: '127.0.0.1',
    PORT: port,
    SSH_PORT: '0',
    REGISTRY_PORT: '0',
    MOOTHALL_DATA_DIR: path.join(folder, 'kept'),
  };
  const [program, ...args] = JSON.parse(all(final, 'CMD')[0]);
  const { PATH, HOME = folder } = process.env;
  const startedAt = Date.now();
  const child = spawn(program, args, { cwd: from, stdio: 'inherit', env: { PATH, HOME, ...env } });
  try {
    await untilReady(settings.HEALTH_URL.replace(settings.PORT, port), child);
    console.log(
      `Ready ${((Date.now() - startedAt) / 1000).toFixed(1)} s after its start; ${size} MB besides Node and programs.`,
    );
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
