import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Unpacks an archive with the system's own programs. @returns `<blob id> <path>` of every file, without the top folder
 */
export async function unpack(archive: Buffer, format: string, target: string): Promise<string[]> {
  const file = path.join(target, `archive.${format}`);
  writeFileSync(file, archive);
  if (format === 'zip') execFileSync('unzip', ['-q', file, '-d', target]);
  else execFileSync('tar', ['xf', file, '-C', target]);
  const top = (await readdir(target, { withFileTypes: true })).find((entry) => entry.isDirectory())!.name;
  const entries = await readdir(path.join(target, top), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return Promise.all(
    files.map(async (entry) => {
      const full = path.join(entry.parentPath, entry.name);
      const content = entry.isSymbolicLink() ? Buffer.from(await readlink(full)) : await readFile(full);
      return `${blobId(content)} ${path.relative(path.join(target, top), full)}`;
    }),
  );
}

/** The git blob id of these bytes. */
const blobId = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
