/** An archive of a gigabyte through the gateway, beside `git archive | gzip`; and memory use. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, memoryOf, withSignIn } from './stack.mjs';
import { git } from './transport.mjs';

const files = 64;
const fileBytes = 16 << 20;

/** Half random, half repeated, so that it compresses like real files. */
function fill(work) {
  for (let index = 0; index < files; index++) {
    const half = randomBytes(fileBytes / 4);
    writeFileSync(
      path.join(work, `part-${index}.bin`),
      Buffer.concat([half, half, Buffer.alloc(fileBytes / 2, index)]),
    );
  }
  git(work, 'add', '.');
  git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'large');
}

async function floorSeconds(bare) {
  const began = performance.now();
  const shell = spawn('sh', ['-c', 'git archive --format=tar main | gzip -c > /dev/null'], { cwd: bare });
  await once(shell, 'exit');
  return (performance.now() - began) / 1000;
}

async function oursSeconds(stack, project) {
  const url = `${stack.url}/api/v4/projects/${project.id}/repository/archive.tar.gz`;
  const began = performance.now();
  const client = spawn('curl', ['-sf', '-o', '/dev/null', '-H', `PRIVATE-TOKEN: ${stack.token}`, url]);
  let peak = 0;
  // Rarely, because reading the memory of a process stops it for a moment.
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(stack.pid));
  }, 2000);
  const [code] = await once(client, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, peak };
}

export async function measureArchive(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-archive-'));
  const work = path.join(folder, 'work');
  mkdirSync(work);
  try {
    git(work, 'init', '-q', '-b', 'main');
    fill(work);
    const project = await api(stack, 'POST', '/projects', { name: `archive-${Date.now()}` });
    git(work, 'push', '-q', withSignIn(stack, project.path_with_namespace), 'main');
    const before = memoryOf(stack.pid);
    const floor = await floorSeconds(work);
    const { seconds, peak } = await oursSeconds(stack, project);
    return [
      {
        figure: 'archive of 1 GB against git archive | gzip',
        value: `${seconds.toFixed(1)} s`,
        floor: `${floor.toFixed(1)} s`,
        ratio: floor / seconds,
        goal: 0.9,
      },
      { figure: 'memory added while it is sent (git included)', value: `${peak - before} MB`, goal: 'flat' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
