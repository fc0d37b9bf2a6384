import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { pipeline, type Readable, Transform, type Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GitError } from '../process/errors';
import { nextChunk } from '../process/next-chunk';

/** Bytes of a request that must arrive before git starts. */
const HEAD_BYTES = 64 << 10;

/** The beginning of a request, or all of it if it is short. */
export async function readHead(input: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const chunk = await nextChunk(input);
    if (!chunk) break;
    chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** The body for git: decompressed if it is gzip, with a limit, so that a small body cannot become a huge one. */
export function inflate(input: Readable, isGzipped: boolean, maxBytes: number): Readable {
  let size = 0;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(new GitError('request_too_large'));
      else done(null, chunk);
    },
  });
  const ignore = () => undefined;
  if (!isGzipped) return pipeline(input, bound, ignore);
  const inflated = createGunzip();
  // Ends the stream with an error that names the cause, before the pipeline passes on zlib's own.
  inflated.once('error', (error) => bound.destroy(new GitError('request_malformed', '', error.message)));
  return pipeline(input, inflated, bound, ignore);
}

/**
 * Sends the client's bytes to git. If the request breaks off, the input ends there and git aborts. The client's stream
 * is never destroyed here, because it may be the same as the response stream; bytes that git does not read are
 * discarded, since a client that is still writing would not read the answer.
 */
export function feed(input: Readable, child: ChildProcessWithoutNullStreams, output: Writable): void {
  const fail = (error?: Error | null) => {
    child.stdin.end();
    if (error) output.destroy(error);
  };
  const closed = () => {
    if (!input.readableEnded) fail(input.errored);
  };
  if (input.destroyed) closed();
  input.on('close', closed);
  input.on('error', fail);
  input.pipe(child.stdin);
  child.once('close', () => {
    input.off('close', closed);
    input.unpipe(child.stdin).resume();
  });
}
