import { createHash } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { geoErrors, isError, OperationError, ReceivedFile } from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';

/** Sends bytes to the service that stores them. @returns what was stored @throws OperationError if they are refused */
export async function putBytes(url: string, bytes: Readable, signal?: AbortSignal): Promise<ReceivedFile> {
  const sent = request(url, { method: 'PUT', ...(signal && { signal }) });
  const answer = answerTo(sent);
  const sending = pipeline(bytes, sent);
  try {
    // A refusal may arrive before the body is sent.
    const said = await Promise.race([answer, sending.then(() => answer)]);
    return ReceivedFile.parse(JSON.parse(await text(understood(said))));
  } finally {
    sent.destroy();
  }
}

/** @param send writes the body completely @returns the status of the answer */
export async function putTo(
  url: URL,
  headers: Record<string, string>,
  send: (sent: ClientRequest) => Promise<void>,
): Promise<number | undefined> {
  const sent = (url.protocol === 'https:' ? secureRequest : request)(url, { method: 'PUT', headers });
  const answer = answerTo(sent);
  const sending = send(sent);
  try {
    return (await Promise.race([answer, sending.then(() => answer)])).resume().statusCode;
  } finally {
    sent.destroy();
  }
}

/** SHA-256 of the stored bytes, in hex; null if they are missing. */
export async function readBytes(url: string, signal?: AbortSignal): Promise<string | null> {
  const sent = request(url, { ...(signal && { signal }) }).end();
  try {
    const hash = createHash('sha256');
    for await (const chunk of understood(await answerTo(sent))) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof OperationError && isError(error, geoErrors.fileMissing)) return null;
    throw error;
  } finally {
    sent.destroy();
  }
}

const answerTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve).on('error', reject);
  });

function understood(answer: IncomingMessage): Readable {
  if (answer.statusCode === 200) return answer;
  answer.resume();
  const refusal = answer.headers[refusalHeader];
  throw typeof refusal === 'string'
    ? new OperationError(JSON.parse(refusal))
    : new Error(`The service that stores the file answers ${answer.statusCode}`);
}
