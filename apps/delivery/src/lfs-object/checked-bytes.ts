import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { lfsErrors } from '@moothall/contracts';

interface Expected {
  oid: string;
  sizeBytes: number;
}

/** So often at most it is told that bytes still come. */
const tellsEveryMs = 60_000;

/**
 * The bytes as they come, which fail where they are not those that were announced: before their end, so that whoever writes
 * them keeps nothing.
 * @param onBytes told once a minute that they still come
 */
export function checkedBytes(bytes: AsyncIterable<Buffer>, expected: Expected, onBytes: () => Promise<void>): Readable {
  return Readable.from(checked(bytes, expected, onBytes), { objectMode: false });
}

async function* checked(bytes: AsyncIterable<Buffer>, { oid, sizeBytes }: Expected, onBytes: () => Promise<void>) {
  const hash = createHash('sha256');
  let seen = 0;
  let toldAt = Date.now();
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > sizeBytes) throw lfsErrors.wrongContent();
    hash.update(chunk);
    if (Date.now() - toldAt >= tellsEveryMs) {
      toldAt = Date.now();
      await onBytes();
    }
    yield chunk;
  }
  if (seen !== sizeBytes || hash.digest('hex') !== oid) throw lfsErrors.wrongContent();
}
