import { copyFile, link, mkdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { filesBelow } from './files-below';

/**
 * Hard-links or copies all files below a folder, under the same names. Existing files stay.
 * @param isWanted filter by file name
 */
export async function linkFiles(
  from: string,
  to: string,
  isWanted: (name: string) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  for await (const source of filesBelow(from)) {
    signal?.throwIfAborted();
    if (!isWanted(basename(source))) continue;
    const target = join(to, source.slice(from.length));
    await mkdir(dirname(target), { recursive: true, mode: 0o750 });
    await linkFile(source, target);
  }
}

/** One file; skipped if it has vanished, or exists already. */
export async function linkFile(source: string, target: string): Promise<void> {
  await link(source, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EEXIST') return;
    if (error.code !== 'EXDEV' && error.code !== 'EPERM' && error.code !== 'EMLINK') throw error;
    return copyFile(source, target).catch((failure: NodeJS.ErrnoException) =>
      failure.code === 'ENOENT' ? undefined : unlink(target).then(() => Promise.reject(failure)),
    );
  });
}

/** Packs with their index, and loose objects. Maintenance creates bitmaps and commit-graphs again. */
export const isObjectFile = (name: string): boolean => /^([0-9a-f]{38}|pack-[0-9a-f]{40}\.(pack|idx|rev))$/.test(name);
