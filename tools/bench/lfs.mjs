/**
 * Upload and download of a Git LFS object of 256 MB, beside a plain stream to and from the disk through one proxy; and
 * memory use.
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { api, memoryOf } from './stack.mjs';
import { besideFloor, largeFile, seconds, startFloor } from './streams.mjs';

export async function measureLfs(stack, { isShort }) {
  const bytes = isShort ? 1 << 20 : 1 << 28;
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-lfs-'));
  const floor = await startFloor(folder);
  try {
    const file = largeFile(folder, bytes);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    const oid = hash.digest('hex');
    const name = `lfs-${Date.now()}`;
    await api(stack, 'POST', '/projects', { name });
    const place = `${stack.url}/${stack.username}/${name}.git/info/lfs/objects/${oid}`;
    const asUser = ['-u', `${stack.username}:${stack.token}`];
    const before = memoryOf(stack.pid);
    const bareUp = await seconds(stack, ['-T', file, `${floor.url}/kept`]);
    const up = await seconds(stack, [...asUser, '-T', file, `${place}/${bytes}`]);
    const bareDown = await seconds(stack, [`${floor.url}/kept`]);
    const down = await seconds(stack, [...asUser, place]);
    return [
      besideFloor('object of Git LFS of 256 MB up, against a stream to disk through one proxy', up, bareUp),
      besideFloor('object of Git LFS of 256 MB down, against the same', down, bareDown),
      {
        figure: 'memory added by objects of Git LFS',
        value: `${Math.max(up.peak, down.peak) - before} MB`,
        goal: 'flat',
      },
    ];
  } finally {
    floor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
