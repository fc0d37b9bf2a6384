/** The server to measure: started from the build, on its own data folder and port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { root } from '../set-up.mjs';

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * @param args of `npm start` @param env overrides the usual settings @returns its connection, the time until it was
 *   ready, and a function to stop it
 */
export async function startStack(args = [], env = {}) {
  // The build may not exist yet when this module is loaded.
  const { removeTemporaryFolder, removeAbandonedFolders, temporaryFolder } = (await import('@moothall/processes'))
    .default;
  await removeAbandonedFolders();
  const dataFolder = temporaryFolder('bench');
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'apps/standalone/dist/main.js'), ...args], {
    // The server stops when its end of the channel closes, also if the measurement is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      SSH_PORT: '0',
      REGISTRY_PORT: '0',
      MOOTHALL_DATA_DIR: dataFolder,
      MONGODB_ENGINE: 'embedded',
      ARCHIVE_RATE_LIMIT: '0',
      ...env,
    },
  });
  let output = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Started in')) resolve();
    });
    child.once('exit', () => reject(new Error(`the server did not start:\n${output}`)));
  });
  const connection = JSON.parse(readFileSync(path.join(dataFolder, 'connection.json'), 'utf8'));
  return {
    ...connection,
    dataFolder,
    readySeconds: (performance.now() - began) / 1000,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await removeTemporaryFolder(dataFolder);
    },
  };
}

/** A process and its descendants. */
export function family(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8'))[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // It ended meanwhile.
    }
  }
  const below = (one) => [one, ...(children.get(one) ?? []).flatMap(below)];
  return below(pid);
}

/** Node processes among a process and its descendants, by id. */
export const nodesOf = (pid) =>
  family(pid).filter((one) => {
    try {
      return path.basename(readlinkSync(`/proc/${one}/exe`)) === 'node';
    } catch {
      return false;
    }
  });

/** Processor time in seconds of a process and its descendants. Linux counts it in hundredths. */
export const processorSecondsOf = (pid) =>
  family(pid).reduce((sum, one) => {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return sum + (Number(user) + Number(system)) / 100;
    } catch {
      // It has ended.
      return sum;
    }
  }, 0);

/** Memory of a process and its descendants in megabytes; shared memory is counted once. */
export const memoryOf = (pid) => [...memoryByProcess(pid).values()].reduce((sum, size) => sum + size, 0);

/** The same by program and process id. It takes the kernel a while for a large process: filter by `isWanted`. */
export const memoryByProcess = (pid, isWanted = () => true) =>
  new Map(
    family(pid).flatMap((one) => {
      try {
        if (!isWanted(nameOf(one))) return [];
        const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'));
        return [[`${nameOf(one)} ${one}`, Math.round(Number(kilobytes) / 1024)]];
      } catch {
        // It has ended.
        return [];
      }
    }),
  );

/** The program, and for Node its script. */
function nameOf(pid) {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = words.slice(1).find((word) => !word.startsWith('-'));
  return path.basename(words[0]) === 'node' && script ? script.split('/').slice(-3).join('/') : path.basename(words[0]);
}

/** Calls the API as root. */
export async function api(stack, method, rest, body) {
  const response = await fetch(`${stack.url}/api/v4${rest}`, {
    method,
    headers: { 'private-token': stack.token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${rest}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** URL of a project, or its wiki, for git as root. */
export function withSignIn(stack, fullPath) {
  const remote = new URL(`${stack.url}/${fullPath}.git`);
  remote.username = 'root';
  remote.password = stack.token;
  return remote.href;
}
