import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TarArchive } from 'archiver';
import { type FileFacts, formatVersion, type Manifest, manifestPath, pathsOf } from './archive-format';

/**
 * An archive in the making: its files are collected in a folder, since the manifest that knows their checksums comes
 * first in the archive. Memory stays flat however long the files are.
 */
export class ArchiveDraft {
  private readonly files: Record<string, FileFacts> = {};

  constructor(private readonly folder: string) {}

  /** Writes a file of one JSON record on each line. */
  async write(name: string, rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    const digest = createHash('sha256');
    const facts = { bytes: 0, rows: 0 };
    const lines = async function* () {
      for await (const row of rows) {
        const line = Buffer.from(`${JSON.stringify(row)}\n`);
        digest.update(line);
        facts.bytes += line.length;
        facts.rows += 1;
        yield line;
      }
    };
    await pipeline(Readable.from(lines()), createWriteStream(file));
    this.files[name] = { ...facts, sha256: digest.digest('hex') };
  }

  /** The archive as a stream, once every file is written. */
  async pack(groups: number): Promise<Readable> {
    const manifest: Manifest = {
      format: 'moothall group export',
      version: formatVersion,
      exported_at: new Date().toISOString(),
      groups,
      files: this.files,
    };
    await writeFile(path.join(this.folder, manifestPath), JSON.stringify(manifest));
    // One at a time, or files come in the order in which the disk answers.
    const archive = new TarArchive({ gzip: true, statConcurrency: 1 });
    for (const name of [manifestPath, ...pathsOf(groups)]) {
      archive.file(path.join(this.folder, name), { name, mode: 0o644 });
    }
    archive.finalize().catch((error: Error) => archive.destroy(error));
    return archive;
  }
}
