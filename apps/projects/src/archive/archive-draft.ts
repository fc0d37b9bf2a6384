import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TarArchive } from 'archiver';
import { type FileFacts, manifestPath } from './archive-files';

/** The content exceeds the maximum size of an archive. */
export class DraftTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the archive would be larger than ${maxBytes} bytes`);
  }
}

/**
 * An archive under construction: its files are collected in a folder, since the manifest with their checksums comes
 * first. Memory use does not depend on the size of the files.
 */
export class ArchiveDraft {
  private readonly files: Record<string, FileFacts> = {};
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly maxBytes = Number.POSITIVE_INFINITY,
  ) {}

  /** Writes a file of one JSON record on each line. @throws DraftTooLarge */
  async write(name: string, rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
    let count = 0;
    const lines = async function* () {
      for await (const row of rows) {
        count += 1;
        yield Buffer.from(`${JSON.stringify(row)}\n`);
      }
    };
    const facts = await this.writeBytes(name, Readable.from(lines()));
    facts.rows = count;
  }

  /** Copies a stream into a file. @throws DraftTooLarge */
  async writeBytes(name: string, bytes: Readable): Promise<FileFacts> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    const digest = createHash('sha256');
    const facts: FileFacts = { bytes: 0, rows: 0, sha256: '' };
    const counted = async function* (this: ArchiveDraft, chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.update(chunk);
        facts.bytes += chunk.length;
        this.bytes += chunk.length;
        if (this.bytes > this.maxBytes) throw new DraftTooLarge(this.maxBytes);
        yield chunk;
      }
    };
    await pipeline(bytes, counted.bind(this), createWriteStream(file));
    facts.sha256 = digest.digest('hex');
    this.files[name] = facts;
    return facts;
  }

  /** Names of the files written so far. */
  get names(): string[] {
    return Object.keys(this.files);
  }

  /**
   * The archive as a stream, once every file is written.
   * @param about further fields of the manifest
   * @param names its files in their order
   */
  async pack(about: object, names: Iterable<string>): Promise<Readable> {
    const ordered = [...names];
    const files = Object.fromEntries(ordered.map((name) => [name, this.files[name]]));
    const manifest = { ...about, exported_at: new Date().toISOString(), files };
    await writeFile(path.join(this.folder, manifestPath), JSON.stringify(manifest));
    // One at a time, otherwise the order of files depends on the disk.
    const archive = new TarArchive({ gzip: true, statConcurrency: 1 });
    for (const name of [manifestPath, ...ordered]) {
      archive.file(path.join(this.folder, name), { name, mode: 0o644 });
    }
    archive.finalize().catch((error: Error) => archive.destroy(error));
    return archive;
  }
}
