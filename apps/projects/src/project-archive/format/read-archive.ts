import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { avatarLimit, type OperationError, pictureTypeOf, projectExportErrors } from '@moothall/contracts';
import type { Header } from 'tar-stream';
import {
  type Entry,
  type FileFacts,
  linesOf,
  maxUsers,
  parseRow,
  readFiles,
  readManifest,
} from '../../archive/archive-files';
import {
  type ArchivePart,
  type BytesKind,
  formatVersion,
  isNumbered,
  Manifest,
  partOf,
  type Row,
  type RowKind,
  rankOf,
  rowSchemas,
  rowsPath,
} from './archive-format';

/** Callbacks for the content of an archive, called in order. */
export interface ArchiveReader {
  /** @param sizeBytes size of the row in the archive */
  row?<K extends RowKind>(kind: K, row: Row<K>, sizeBytes: number): Promise<void>;
  /** Called after the last row of a kind. */
  endOfRows?(kind: RowKind): Promise<void>;
  /** A file that is not records; an unread rest is skipped. */
  bytes?(kind: BytesKind, name: string, sizeBytes: number, content: Entry): Promise<void>;
}

export interface ArchiveLimits {
  /** Limit of the unpacked bytes of all files. */
  maxBytes: number;
  /** Limit of rows and files. */
  maxRecords: number;
}

export const archiveRefused = (reason: string): OperationError =>
  projectExportErrors.archiveRefused(`400 Bad request - The archive cannot be imported: ${reason}`);

/**
 * Reads a project archive as a stream with constant memory, and checks everything against the format and the manifest.
 * The reader may already have received content when an archive proves invalid: a caller that must not act on such
 * content reads the archive twice.
 * @throws project_export.archive_refused with the reason
 */
export async function readArchive(archive: Readable, limits: ArchiveLimits, reader: ArchiveReader): Promise<Manifest> {
  const walk = new Walk(limits, reader);
  await readFiles(archive, limits.maxBytes, archiveRefused, (header, entry) => walk.take(header, entry));
  return walk.requireWhole();
}

/** One pass over an archive. */
class Walk {
  private manifest?: Manifest;
  private expected: Iterator<[string, FileFacts]> = [].values();
  private rank = 0;
  private snippets = 0;

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly reader: ArchiveReader,
  ) {}

  async take(header: Header, entry: Entry): Promise<void> {
    if (!this.manifest) {
      this.manifest = await readManifest(Manifest, header, entry, archiveRefused);
      this.requireBounded(this.manifest);
      this.expected = Object.entries(this.manifest.files).values();
      return;
    }
    const { value, done } = this.expected.next();
    if (done || header.name !== value[0]) throw this.misplaced(header.name, done ? undefined : value[0]);
    const [path, facts] = value;
    const part = partOf(path);
    if (!part) throw archiveRefused(`nobody knows what ${JSON.stringify(path)} is`);
    if (rankOf(part) < this.rank) throw archiveRefused(`${path} is out of order`);
    this.rank = rankOf(part);
    if (header.size !== facts.bytes) throw archiveRefused(`${path} is not as long as its manifest says`);
    const digest = createHash('sha256');
    if (part.part === 'rows') await this.takeRows(path, part.kind, facts, entry, digest);
    else await this.takeBytes(part, facts, entry, digest);
    if (digest.digest('hex') !== facts.sha256) throw archiveRefused(`the checksum of ${path} is wrong`);
    if (part.part === 'rows') await this.reader.endOfRows?.(part.kind);
  }

  private requireBounded({ version, files }: Manifest): void {
    if (version !== formatVersion) throw archiveRefused(`it has version ${version}, and ${formatVersion} can be read`);
    const all = Object.values(files);
    this.snippets = rowsIn(files, 'snippets');
    const sum = (of: (facts: FileFacts) => number) => all.reduce((total, facts) => total + of(facts), 0);
    const { maxBytes, maxRecords } = this.limits;
    if (sum(({ bytes }) => bytes) > maxBytes) throw archiveRefused(`it unpacks to more than ${maxBytes} bytes`);
    if (all.length + sum(({ rows }) => rows) > maxRecords)
      throw archiveRefused(`it has more than ${maxRecords} records`);
    if (rowsIn(files, 'users') > maxUsers) throw archiveRefused(`it names more than ${maxUsers} users`);
    if (rowsIn(files, 'project') !== 1) throw archiveRefused('it is not of one project');
  }

  private async takeRows(
    path: string,
    kind: RowKind,
    facts: FileFacts,
    entry: Entry,
    digest: ReturnType<typeof createHash>,
  ): Promise<void> {
    let rows = 0;
    for await (const line of linesOf(entry, digest, path, archiveRefused)) {
      rows += 1;
      if (rows > facts.rows) break;
      const row = parseRow(rowSchemas[kind], line, path, archiveRefused);
      if (isNumbered(kind) && (row as { id: number }).id !== rows)
        throw archiveRefused(`row ${rows} of ${path} is not in its place`);
      if (kind === 'notes') this.requireInPlace(row as Row<'notes'>);
      await this.reader.row?.(kind, row as Row<typeof kind>, Buffer.byteLength(line));
    }
    if (rows !== facts.rows) throw archiveRefused(`${path} has not ${facts.rows} rows`);
  }

  private async takeBytes(
    { kind, name }: ArchivePart & { part: 'bytes' },
    facts: FileFacts,
    entry: Entry,
    digest: ReturnType<typeof createHash>,
  ): Promise<void> {
    const digested = digestedBytes(entry, digest);
    const content = kind === 'avatar' ? await pictureIn(digested, facts) : digested;
    await this.reader.bytes?.(kind, name, facts.bytes, content);
    for await (const _ of digested);
  }

  /** The first note of a discussion and the record of a note must come before it. */
  private requireInPlace({ id, discussion_id, noteable_type, noteable_iid }: Row<'notes'>): void {
    const leadsNowhere = noteable_type === 'Snippet' && noteable_iid > this.snippets;
    if (leadsNowhere || (discussion_id !== null && discussion_id > id))
      throw archiveRefused(`note ${id} is not in its place`);
  }

  private misplaced(name: string, path: string | undefined): OperationError {
    if (partOf(name) && name in (this.manifest?.files ?? {}))
      return archiveRefused(`${name} is twice in it, or out of order`);
    return archiveRefused(path ? `${path} is missing` : `nobody knows what ${JSON.stringify(name)} is`);
  }

  requireWhole(): Manifest {
    if (!this.manifest) throw archiveRefused('it is empty');
    const { value, done } = this.expected.next();
    if (!done) throw archiveRefused(`${value[0]} is missing`);
    return this.manifest;
  }
}

const rowsIn = (files: Manifest['files'], kind: RowKind): number => files[rowsPath(kind)]?.rows ?? 0;

/** @throws project_export.archive_refused for an invalid or too large image */
async function pictureIn(content: Entry, { bytes }: FileFacts): Promise<Entry> {
  if (bytes > avatarLimit.bytes) throw archiveRefused('the picture is too large');
  const picture = await buffer(content);
  if (!pictureTypeOf(picture)) throw archiveRefused('the picture is none');
  return Readable.from([picture]);
}

async function* digestedBytes(entry: Entry, digest: { update(bytes: Buffer): void }): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    digest.update(chunk);
    yield chunk;
  }
}
