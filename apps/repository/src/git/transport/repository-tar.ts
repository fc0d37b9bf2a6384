import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { GitRunner } from '../process/run-git';
import { filesBelow } from '../storage/files-below';
import { isObjectFile, linkFile, linkFiles } from '../storage/link-files';
import type { RepositoryStorage } from '../storage/storage';

/** Raw files of repositories, to inspect one that git can no longer read. */
export class RepositoryTar {
  constructor(
    private readonly git: GitRunner,
    private readonly storage: RepositoryStorage,
  ) {}

  /**
   * A tar of HEAD, refs and objects at this moment; concurrent changes do not affect it. It uses a slot of the
   * transfers until its end; destroying it releases the slot.
   * @param who the user, for fair scheduling
   * @throws busy, cancelled
   */
  async open(
    repository: string,
    { who, signal }: { who?: string | undefined; signal: AbortSignal },
  ): Promise<Readable> {
    const place = await this.git.queue.acquire(who, signal);
    try {
      const still = await this.hold(repository, signal);
      const tar = pack();
      write(still, tar)
        .catch((error: Error) => tar.destroy(error))
        .finally(place.release)
        .then(() => this.storage.remove(still))
        // Leftovers are removed at the next start.
        .catch(() => undefined);
      return Readable.from(tar, { objectMode: false });
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** Hard-links the files. Git replaces files and never writes into them, so the links do not change. */
  private async hold(repository: string, signal: AbortSignal): Promise<string> {
    const still = await this.storage.makeFolder();
    try {
      // Also if they are empty: git recognises a repository by these folders.
      for (const folder of ['refs', 'objects']) await mkdir(join(still, folder));
      await linkFile(join(repository, 'HEAD'), join(still, 'HEAD'));
      // Refs before the objects that they name, and before the file that git packs refs into.
      await linkFiles(join(repository, 'refs'), join(still, 'refs'), (name) => !name.endsWith('.lock'), signal);
      await linkFile(join(repository, 'packed-refs'), join(still, 'packed-refs'));
      // A repack moves objects to a folder that the first walk has already visited.
      for (const folder of ['objects', 'objects'])
        await linkFiles(join(repository, folder), join(still, folder), isObjectFile, signal);
      return still;
    } catch (error) {
      await this.storage.remove(still);
      throw error;
    }
  }
}

const parts = ['HEAD', 'packed-refs', 'refs', 'objects'];

async function write(folder: string, tar: Pack): Promise<void> {
  for (const part of parts) {
    const path = join(folder, part);
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) await add(tar, part, path);
    if (!found?.isDirectory()) continue;
    tar.entry({ name: `${part}/`, type: 'directory', mode: 0o755 });
    for await (const file of filesBelow(path)) await add(tar, file.slice(folder.length + 1), file);
  }
  tar.finalize();
}

async function add(tar: Pack, name: string, path: string): Promise<void> {
  const { size, mtime } = await stat(path);
  await pipeline(createReadStream(path), tar.entry({ name, size, mtime, mode: 0o644 }));
}
