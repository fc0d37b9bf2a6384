import type { Readable } from 'node:stream';
import { GitError } from './errors';

/** The next chunk of a paused stream; null at its end. */
export function nextChunk(input: Readable): Promise<Buffer | null> {
  const ready = input.read() as Buffer | null;
  if (ready) return Promise.resolve(ready);
  if (input.readableEnded || input.destroyed) return ended(input);
  return new Promise((resolve, reject) => {
    const done = (error?: Error) => {
      input.off('readable', again).off('end', again).off('close', again).off('error', done);
      if (error) reject(error);
      else resolve(nextChunk(input));
    };
    const again = () => done();
    input.on('readable', again).on('end', again).on('close', again).on('error', done);
  });
}

async function ended(input: Readable): Promise<null> {
  if (input.errored) throw input.errored;
  if (!input.readableEnded) throw new GitError('cancelled');
  return null;
}
