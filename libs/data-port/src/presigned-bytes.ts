import { get, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { commonErrors, OperationError, type PresignedUrl } from '@moothall/contracts';
import { refusalHeader } from './data-port';

/** Another service that sends nothing for this time has ended. */
const silenceMs = 60_000;

/** Fetches the bytes of a signed URL of another service. @returns null if there are none */
export async function fetchBytes({ url }: PresignedUrl): Promise<Readable | null> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = get(url, { agent: false, timeout: silenceMs }, resolve).once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error('a service sends nothing more of a file')));
  });
  if (response.statusCode === 200) return response;
  response.resume();
  if (response.statusCode === 204) return null;
  throw refusalOf(response);
}

/** Sends bytes to a signed URL of another service. @throws its refusal */
export async function sendBytes({ url }: PresignedUrl, bytes: AsyncIterable<Buffer>, sizeBytes: number): Promise<void> {
  const sent = request(url, { method: 'PUT', agent: false, headers: { 'content-length': sizeBytes } });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  // Refused in the middle, the other side reads no more.
  const sending = pipeline(Readable.from(bytes, { objectMode: false }), sent).catch(() => undefined);
  const response = await answered;
  response.resume();
  if (response.statusCode !== 200) throw refusalOf(response);
  await sending;
}

function refusalOf({ headers }: IncomingMessage): Error {
  const refusal = headers[refusalHeader];
  return typeof refusal === 'string' ? new OperationError(JSON.parse(refusal)) : commonErrors.unavailable();
}
