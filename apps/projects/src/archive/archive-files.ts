import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { firstProblem, type OperationError } from '@moothall/contracts';
import { extract, type Header } from 'tar-stream';
import { z } from 'zod';

/*
 * Common format of group and project archives: a tar.gz of plain files. The first one, `manifest.json`, has size, rows
 * and SHA-256 of each other file. Archives are read as a stream with constant memory, and no file is ever written under
 * a name from the archive.
 */

export const manifestPath = 'manifest.json';
/** A manifest has one line per file; this is enough for about 200,000. */
export const maxManifestBytes = 32 * 1024 ** 2;
/** Limit of users: each one is looked up, one after the other. */
export const maxUsers = 100_000;
/** Fits a snippet of 4 MiB with a description of a million characters, some of which JSON writes in six bytes. */
export const maxRowBytes = 32 * 1024 ** 2;

export const FileFacts = z.object({ bytes: z.int().min(0), rows: z.int().min(0), sha256: z.string().length(64) });
export type FileFacts = z.infer<typeof FileFacts>;

/** Creates the error for an invalid archive. */
export type Refuse = (reason: string) => OperationError;

export type Entry = AsyncIterable<Buffer>;

/**
 * Reads the files of an archive in order.
 * @param take must read each file to its end
 * @throws the error of `refuse` for an invalid or truncated archive, one that unpacks to more than `maxBytes`, or one
 *   that contains anything but plain files
 */
export async function readFiles(
  archive: Readable,
  maxBytes: number,
  refuse: Refuse,
  take: (header: Header, entry: Entry) => Promise<void>,
): Promise<void> {
  const entries = extract();
  // Stored separately, since the streams in between only report a premature end.
  let failure: unknown;
  entries.on('entry', (header, stream, next) => {
    // An unread entry ends with the same error, and without a listener it would end the process.
    stream.on('error', () => undefined);
    const taken = async () => {
      requirePlainFile(header, refuse);
      await take(header, stream as Entry);
    };
    taken().then(
      () => next(),
      (error: unknown) => {
        failure = error;
        entries.destroy(error as Error);
      },
    );
  });
  const bounded = limitOf(maxBytes, refuse);
  try {
    await pipeline(archive, createGunzip(), bounded, entries as unknown as NodeJS.WritableStream);
  } catch (error) {
    throw failure ?? asRefusal(error, refuse);
  }
}

/** Stops at the limit of unpacked bytes, before the content is parsed. */
function limitOf(maxBytes: number, refuse: Refuse): PassThrough {
  let seen = 0;
  return new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxBytes) done(refuse(`it unpacks to more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

function asRefusal(error: unknown, refuse: Refuse): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data') return refuse('it is cut off');
  if (code?.startsWith('Z_')) return refuse('it is not gzip');
  if (/^(Invalid (tar )?header|Header exceeds)/.test(message)) return refuse('it is not a tar archive');
  return error;
}

/** @throws for links, folders and devices, and for names that leave the archive */
function requirePlainFile({ name, type }: Header, refuse: Refuse): void {
  if (type !== 'file') throw refuse(`${JSON.stringify(name)} is a ${type} and not a file`);
  if (name.startsWith('/') || name.includes('\\') || name.split('/').includes('..')) {
    throw refuse(`${JSON.stringify(name)} leads out of the archive`);
  }
}

/** The first file of an archive. */
export async function readManifest<T extends z.ZodType>(
  schema: T,
  header: Header,
  entry: Entry,
  refuse: Refuse,
): Promise<z.output<T>> {
  if (header.name !== manifestPath) throw refuse('it does not begin with its manifest');
  if ((header.size ?? 0) > maxManifestBytes) throw refuse('its manifest is too large');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return parseRow(schema, Buffer.concat(chunks).toString(), manifestPath, refuse);
}

/** The lines of a file, one at a time, each of bounded length. */
export async function* linesOf(
  entry: Entry,
  digest: { update(bytes: Buffer): void },
  path: string,
  refuse: Refuse,
): AsyncGenerator<string> {
  // Joined once per row: long rows arrive in many chunks.
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of entry) {
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
    if (length > maxRowBytes) throw refuse(`a row of ${path} is too long`);
  }
  if (length > 0) throw refuse(`the last row of ${path} is cut off`);
}

/** @throws the error of `refuse` with the problem of the row */
export function parseRow<T extends z.ZodType>(schema: T, text: string, path: string, refuse: Refuse): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(`a row of ${path} is not JSON`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(`a row of ${path} is wrong: ${firstProblem(parsed.error)}`);
}
