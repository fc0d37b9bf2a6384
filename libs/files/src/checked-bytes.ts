import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

export interface Expected {
  /** In hex; null for any. */
  sha256: string | null;
  /** Null if unknown. */
  sizeBytes: number | null;
}

interface Checking {
  /** The error for wrong bytes. */
  refusal: () => Error;
  /** Called once a minute while bytes arrive. */
  onBytes?: () => Promise<void>;
  /** Called at their end. */
  onEnd?: (seen: { size: number; sha256: string }) => void;
}

/** The interval of these calls. */
const reportsEveryMs = 60_000;

/**
 * The bytes as they arrive, which fail if they are not the announced ones: before their end, so that a writer stores
 * nothing.
 */
export function checkedBytes(bytes: AsyncIterable<Buffer>, expected: Expected, checking: Checking): Readable {
  return Readable.from(checked(bytes, expected, checking), { objectMode: false });
}

async function* checked(
  bytes: AsyncIterable<Buffer>,
  { sha256: wanted, sizeBytes }: Expected,
  { refusal, onBytes, onEnd }: Checking,
) {
  const hash = createHash('sha256');
  let size = 0;
  let toldAt = Date.now();
  for await (const chunk of bytes) {
    size += chunk.length;
    if (sizeBytes !== null && size > sizeBytes) throw refusal();
    hash.update(chunk);
    if (onBytes && Date.now() - toldAt >= reportsEveryMs) {
      toldAt = Date.now();
      await onBytes();
    }
    yield chunk;
  }
  const sha256 = hash.digest('hex');
  if ((sizeBytes !== null && size !== sizeBytes) || (wanted !== null && sha256 !== wanted)) throw refusal();
  onEnd?.({ size, sha256 });
}
