import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { exitCodeTrailer } from '@moothall/contracts';

/** Git reported no exit code. */
const unknown = 1;

/**
 * The data port must not close the connection with its response: the kernel would answer further bytes of the client
 * with a reset, which overtakes unread bytes. The end of the channel closes it.
 */
const headers = { 'transfer-encoding': 'chunked', connection: 'keep-alive' };

/** Both directions at once: output of git is sent while its input is still arriving. @returns git's exit code */
export function pipeSession(channel: Duplex, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false, headers });
    outgoing.setNoDelay(true);
    outgoing.flushHeaders();
    let isAnswered = false;
    // A service that refuses a push stops reading: the response counts, and not the error of the rest.
    outgoing.on('error', (error) => isAnswered || reject(error));
    outgoing.once('response', (answer) => {
      isAnswered = true;
      answer.on('error', reject);
      if (answer.statusCode !== 200) {
        answer.resume();
        reject(new Error(`the data port answered ${answer.statusCode}`));
        return;
      }
      answer.pipe(channel, { end: false });
      answer.once('end', () => resolve(Number(answer.trailers[exitCodeTrailer] ?? unknown)));
    });
    channel.pipe(outgoing);
    channel.once('close', () => outgoing.destroy());
  });
}
