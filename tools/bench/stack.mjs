/** The server to measure: started from what is built, on a data folder and port of its own. */
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

/** @param args of `npm start` @param env over the usual settings @returns its connection, how long it took to be ready, and how to stop it */
export async function startStack(args = [], env = {}) {
  // Built by now, and not yet when this module is loaded.
  const { removeTemporaryFolder, removeAbandonedFolders, temporaryFolder } = (await import('@moothall/processes'))
    .default;
  await removeAbandonedFolders();
  const dataFolder = temporaryFolder('bench');
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'apps/standalone/dist/main.js'), ...args], {
    // Its end of the channel tells the server when the measurement is killed.
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

/** A process and all below it. */
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

/** The Node processes among a process and all below it, by their ids. */
export const nodesOf = (pid) =>
  family(pid).filter((one) => {
    try {
      return path.basename(readlinkSync(`/proc/${one}/exe`)) === 'node';
    } catch {
      return false;
    }
  });

/** Processor time that a process and all below it have taken so far, in seconds. Linux counts it in hundredths. */
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

/** Memory of a process and all below it in megabytes; what they share is counted once. */
export const memoryOf = (pid) => [...memoryByProcess(pid).values()].reduce((sum, size) => sum + size, 0);

/** The same by program and process id. Of a large process it takes the kernel a while: name those that are wanted. */
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

/** The program, and of Node what it runs. */
function nameOf(pid) {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = words.slice(1).find((word) => !word.startsWith('-'));
  return path.basename(words[0]) === 'node' && script ? script.split('/').slice(-3).join('/') : path.basename(words[0]);
}

/** Asks the interface as root. */
export async function api(stack, method, rest, body) {
  const response = await fetch(`${stack.url}/api/v4${rest}`, {
    method,
    headers: { 'private-token': stack.token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${rest}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Where git finds a project, or its wiki, as root. */
export function withSignIn(stack, fullPath) {
  const remote = new URL(`${stack.url}/${fullPath}.git`);
  remote.username = 'root';
  remote.password = stack.token;
  return remote.href;
}
