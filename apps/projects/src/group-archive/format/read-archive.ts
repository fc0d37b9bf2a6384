import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { groupExportErrors, type OperationError } from '@moothall/contracts';
import { extract, type Header } from 'tar-stream';
import type { z } from 'zod';
import {
  type ArchivedGroup,
  ArchivedGroup as ArchivedGroupSchema,
  ArchivedNumber,
  type ArchivedUser,
  ArchivedUser as ArchivedUserSchema,
  formatVersion,
  Manifest,
  manifestPath,
  maxManifestBytes,
  maxRowBytes,
  maxUsers,
  oldestReadableVersion,
  partOf,
  pathsOf,
  type Row,
  type RowKind,
  rowSchemas,
  usersPath,
} from './archive-format';

/** Told of an archive's content in its order. Each waits for the one before. */
export interface ArchiveReader {
  manifest?(manifest: Manifest): Promise<void>;
  user?(user: ArchivedUser): Promise<void>;
  group?(group: ArchivedGroup): Promise<void>;
  /** @param sizeBytes of the row in the archive */
  row?<K extends RowKind>(number: number, kind: K, row: Row<K>, sizeBytes: number): Promise<void>;
  /** All rows of that kind of that group have come. */
  endOfRows?(number: number, kind: RowKind): Promise<void>;
}

export interface ArchiveLimits {
  /** What all files together may unpack to. */
  maxBytes: number;
}

export const archiveRefused = (reason: string): OperationError =>
  groupExportErrors.archiveRefused(`400 Bad request - The archive cannot be imported: ${reason}`);

/**
 * Reads a group archive from its first byte to its last with flat memory, holding everything against format and
 * manifest on the way. What it has told the reader may still turn out to be part of a bad archive: whoever must not
 * act on one reads it twice.
 * @throws group_export.archive_refused, saying what is wrong
 */
export async function readArchive(archive: Readable, limits: ArchiveLimits, reader: ArchiveReader): Promise<void> {
  const walk = new Walk(limits, reader);
  const entries = extract();
  // Kept apart, since the streams in between tell only that one of them broke off.
  let failure: unknown;
  entries.on('entry', (header, stream, next) => {
    // An entry that is left unread is ended with the error, and an error that nobody hears would end the process.
    stream.on('error', () => undefined);
    walk.take(header, stream as AsyncIterable<Buffer>).then(
      () => next(),
      (error: unknown) => {
        failure = error;
        entries.destroy(error as Error);
      },
    );
  });
  try {
    await pipeline(archive, createGunzip(), limitOf(limits.maxBytes), entries as unknown as NodeJS.WritableStream);
  } catch (error) {
    throw failure ?? asRefusal(error);
  }
  walk.requireWhole();
}

/** Cuts off what unpacks to more than allowed, before it is looked at. */
function limitOf(maxBytes: number): PassThrough {
  let seen = 0;
  return new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(archiveRefused(`it unpacks to more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

function asRefusal(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data') return archiveRefused('it is cut off');
  if (code?.startsWith('Z_')) return archiveRefused('it is not gzip');
  if (/^(Invalid (tar )?header|Header exceeds)/.test(message)) return archiveRefused('it is not a tar archive');
  return error;
}

/** One reading of an archive. */
class Walk {
  private manifest?: Manifest;
  private expected: Iterator<string> = [].values();

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly reader: ArchiveReader,
  ) {}

  async take(header: Header, stream: AsyncIterable<Buffer>): Promise<void> {
    requirePlainFile(header);
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
    for await (const line of linesOf(stream, digest, path)) {
      rows += 1;
      await this.takeLine(path, line);
    }
    if (digest.digest('hex') !== facts.sha256) throw archiveRefused(`the checksum of ${path} is wrong`);
    if (rows !== facts.rows) throw archiveRefused(`${path} has ${rows} rows and not ${facts.rows}`);
    const part = partOf(path);
    if (part?.part === 'rows') await this.reader.endOfRows?.(part.number, part.kind);
  }

  private async takeManifest(header: Header, stream: AsyncIterable<Buffer>): Promise<void> {
    if (header.name !== manifestPath) throw archiveRefused('it does not begin with its manifest');
    if (header.size > maxManifestBytes) throw archiveRefused('its manifest is too large');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const manifest = parse(Manifest, Buffer.concat(chunks).toString(), manifestPath);
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
    if (part?.part === 'users') await this.reader.user?.(parse(ArchivedUserSchema, line, path));
    else if (part?.part === 'all') parse(ArchivedNumber, line, path);
    else if (part?.part === 'group') await this.takeGroup(part.number, parse(ArchivedGroupSchema, line, path));
    else if (part) {
      const row = parse(rowSchemas[part.kind], line, path);
      await this.reader.row?.(part.number, part.kind, row, Buffer.byteLength(line));
    }
  }

  private async takeGroup(number: number, group: ArchivedGroup): Promise<void> {
    const parent = group.parent_number;
    // What comes first has no parent, and every other group one that came before it.
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

/** @throws group_export.archive_refused for links, folders and devices, and for names that lead elsewhere */
function requirePlainFile({ name, type }: Header): void {
  if (type !== 'file') throw archiveRefused(`${JSON.stringify(name)} is a ${type} and not a file`);
  if (name.startsWith('/') || name.includes('\\') || name.split('/').includes('..')) {
    throw archiveRefused(`${JSON.stringify(name)} leads out of the archive`);
  }
}

/** The lines of a file, one at a time, each of bounded length. */
async function* linesOf(stream: AsyncIterable<Buffer>, digest: { update(bytes: Buffer): void }, path: string) {
  // Put together once a row: long ones come in many chunks.
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    digest.update(chunk);
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
      begun = [];
      length = 0;
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxRowBytes) throw archiveRefused(`a row of ${path} is too long`);
  }
  if (length > 0) throw archiveRefused(`the last row of ${path} is cut off`);
}

function parse<T extends z.ZodType>(schema: T, text: string, path: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw archiveRefused(`a row of ${path} is not JSON`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw archiveRefused(`a row of ${path} is wrong: ${issue?.path.join('.')} ${issue?.message}`);
}
