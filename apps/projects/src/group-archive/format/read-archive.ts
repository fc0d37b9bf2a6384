import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { groupExportErrors, type OperationError } from '@moothall/contracts';
import type { Header } from 'tar-stream';
import { type Entry, linesOf, maxUsers, parseRow, readFiles, readManifest } from '../../archive/archive-files';
import { type ArchivedUser, ArchivedUser as ArchivedUserSchema } from '../../archive/archived-user';
import {
  type ArchivedGroup,
  ArchivedGroup as ArchivedGroupSchema,
  ArchivedNumber,
  formatVersion,
  Manifest,
  oldestReadableVersion,
  partOf,
  pathsOf,
  type Row,
  type RowKind,
  rowSchemas,
  usersPath,
} from './archive-format';

/** Callbacks for the content of an archive, called in order. */
export interface ArchiveReader {
  manifest?(manifest: Manifest): Promise<void>;
  user?(user: ArchivedUser): Promise<void>;
  group?(group: ArchivedGroup): Promise<void>;
  /** @param sizeBytes size of the row in the archive */
  row?<K extends RowKind>(number: number, kind: K, row: Row<K>, sizeBytes: number): Promise<void>;
  /** Called after the last row of a kind in a group. */
  endOfRows?(number: number, kind: RowKind): Promise<void>;
}

export interface ArchiveLimits {
  /** Limit of the unpacked bytes of all files. */
  maxBytes: number;
}

export const archiveRefused = (reason: string): OperationError =>
  groupExportErrors.archiveRefused(`400 Bad request - The archive cannot be imported: ${reason}`);

/**
 * Reads a group archive as a stream with constant memory, and checks everything against the format and the manifest.
 * The reader may already have received content when an archive proves invalid: a caller that must not act on such
 * content reads the archive twice.
 * @throws group_export.archive_refused with the reason
 */
export async function readArchive(archive: Readable, limits: ArchiveLimits, reader: ArchiveReader): Promise<void> {
  const walk = new Walk(limits, reader);
  await readFiles(archive, limits.maxBytes, archiveRefused, (header, entry) => walk.take(header, entry));
  walk.requireWhole();
}

/** One pass over an archive. */
class Walk {
  private manifest?: Manifest;
  private expected: Iterator<string> = [].values();

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly reader: ArchiveReader,
  ) {}

  async take(header: Header, stream: Entry): Promise<void> {
    if (!this.manifest) {
      await this.takeManifest(header, stream);
      return;
    }
    const { value: path } = this.expected.next();
    if (header.name !== path) throw this.misplaced(header.name, path);
    const facts = this.manifest.files[path];
    if (!facts) throw archiveRefused(`its manifest lacks ${path}`);
    if (header.size !== facts.bytes) throw archiveRefused(`${path} is not as long as its manifest says`);
    const digest = createHash('sha256');
    let rows = 0;
    for await (const line of linesOf(stream, digest, path, archiveRefused)) {
      rows += 1;
      await this.takeLine(path, line);
    }
    if (digest.digest('hex') !== facts.sha256) throw archiveRefused(`the checksum of ${path} is wrong`);
    if (rows !== facts.rows) throw archiveRefused(`${path} has ${rows} rows and not ${facts.rows}`);
    const part = partOf(path);
    if (part?.part === 'rows') await this.reader.endOfRows?.(part.number, part.kind);
  }

  private async takeManifest(header: Header, stream: Entry): Promise<void> {
    const manifest = await readManifest(Manifest, header, stream, archiveRefused);
    if (manifest.version < oldestReadableVersion || manifest.version > formatVersion) {
      throw archiveRefused(
        `it has version ${manifest.version}, and ${oldestReadableVersion} to ${formatVersion} can be read`,
      );
    }
    const total = Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > this.limits.maxBytes) throw archiveRefused(`it unpacks to more than ${this.limits.maxBytes} bytes`);
    if ((manifest.files[usersPath]?.rows ?? 0) > maxUsers) throw archiveRefused(`it names more than ${maxUsers} users`);
    this.manifest = manifest;
    this.expected = pathsOf(manifest.groups);
    await this.reader.manifest?.(manifest);
  }

  private async takeLine(path: string, line: string): Promise<void> {
    const part = partOf(path);
    if (part?.part === 'users') await this.reader.user?.(parseRow(ArchivedUserSchema, line, path, archiveRefused));
    else if (part?.part === 'all') parseRow(ArchivedNumber, line, path, archiveRefused);
    else if (part?.part === 'group')
      await this.takeGroup(part.number, parseRow(ArchivedGroupSchema, line, path, archiveRefused));
    else if (part) {
      const row = parseRow(rowSchemas[part.kind], line, path, archiveRefused);
      await this.reader.row?.(part.number, part.kind, row, Buffer.byteLength(line));
    }
  }

  private async takeGroup(number: number, group: ArchivedGroup): Promise<void> {
    const parent = group.parent_number;
    // The first group has no parent; the parent of every other group comes before it.
    const isPlaced = number === 1 ? parent === null : parent !== null && parent < number;
    if (group.number !== number || !isPlaced) throw archiveRefused(`group ${number} is not in its place`);
    await this.reader.group?.(group);
  }

  private misplaced(name: string, path: string | undefined): OperationError {
    if (partOf(name) && name in (this.manifest?.files ?? {}))
      return archiveRefused(`${name} is twice in it, or out of order`);
    return archiveRefused(path ? `${path} is missing` : `nobody knows what ${JSON.stringify(name)} is`);
  }

  requireWhole(): void {
    if (!this.manifest) throw archiveRefused('it is empty');
    const { value: missing, done } = this.expected.next();
    if (!done) throw archiveRefused(`${missing} is missing`);
  }
}
