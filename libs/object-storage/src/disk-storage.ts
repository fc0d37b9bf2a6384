import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ObjectMissing, ObjectStorage } from './object-storage';

const part = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}$/;

/** Objects as files below a folder. */
export class DiskStorage extends ObjectStorage {
  constructor(private readonly folder: string) {
    super();
  }

  async write(key: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const file = this.fileOf(key);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Beside its place, so that the rename stays on one file system; no key looks like it.
    const draft = path.join(path.dirname(file), `.${randomUUID()}`);
    try {
      await pipeline(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
      const { size: sizeBytes } = await stat(draft);
      await rename(draft, file);
      await syncFolder(path.dirname(file));
      return { sizeBytes };
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async read(key: string): Promise<{ stream: Readable; sizeBytes: number }> {
    const handle = await open(this.fileOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ObjectMissing(key) : error;
    });
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), sizeBytes: size };
  }

  async remove(key: string): Promise<void> {
    await rm(this.fileOf(key), { force: true });
  }

  async removeAll(prefix: string): Promise<void> {
    await rm(this.fileOf(prefix), { recursive: true, force: true });
  }

  private fileOf(key: string): string {
    const parts = key.split('/');
    if (!parts.every((name) => part.test(name))) throw new Error(`not a key: ${key}`);
    return path.join(this.folder, ...parts);
  }
}

/** The name of a file is as durable as its folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
