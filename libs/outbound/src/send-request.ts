import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { permittedAddresses } from './permitted-addresses';
import { pinnedTo } from './pinned-to';
import type { OutboundPolicy } from './policy';

interface OutboundAddress {
  method: string;
  /** By http or https; a name and password in it become basic authentication. */
  url: URL;
  /** Text; the server receives the bytes of its UTF-8 form. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the certificate of the server is checked. */
  verifiesTls: boolean;
  policy: OutboundPolicy;
}

export interface OutboundRequest extends OutboundAddress {
  /** For the whole request: lookup, connection, sending, and reading the answer. */
  timeoutMs: number;
  /** Limit of the answer's body. */
  mostBytes: number;
}

export interface OutboundAnswer {
  status: number;
  headers: Record<string, string>;
  /** Its first bytes. */
  body: Buffer;
}

const headersAtMost = 50;
const headerLengthAtMost = 1_000;

/**
 * Sends one request to an external server, over a new connection, to an address that the policy permits. Redirects
 * are not followed. A server that stalls after its answer counts as done.
 * @throws OutboundBlocked; Error with a message for users without an answer
 */
export async function sendRequest(wanted: OutboundRequest): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(wanted.timeoutMs);
  const sent = await connect(wanted, wanted.timeoutMs, signal);
  try {
    const answer = answerTo(sent, wanted.body, (response) => readAnswer(response, wanted.mostBytes, signal));
    return await inTime(answer, signal);
  } finally {
    sent.destroy();
  }
}

export interface StreamedRequest extends OutboundAddress {
  /** For the lookup, the connection, and between two chunks of the answer. */
  idleMs: number;
  /** Ends it. */
  signal?: AbortSignal | undefined;
  /** A stream that is sent instead of `body`. */
  content?: { stream: Readable; sizeBytes: number } | undefined;
}

/**
 * The same for an answer of any length, which is read as a stream. The request ends with its reader.
 * @throws OutboundBlocked; Error with a message for users without an answer; errors of the reader
 */
export async function streamRequest<T>(
  wanted: StreamedRequest,
  use: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  const { idleMs, signal, content } = wanted;
  // Before it is sent it has no error listener, and an unhandled error would end the process.
  content?.stream.on('error', () => undefined);
  const sent = await connect(wanted, idleMs, AbortSignal.timeout(idleMs)).catch((error: unknown) => {
    content?.stream.destroy();
    throw error;
  });
  const end = () => sent.destroy(new Error('It was ended'));
  signal?.addEventListener('abort', end, { once: true });
  sent.setTimeout(idleMs, () => sent.destroy(new Error('The server did not go on in time')));
  try {
    if (signal?.aborted) end();
    return await answerTo(sent, content?.stream ?? wanted.body, use);
  } finally {
    signal?.removeEventListener('abort', end);
    content?.stream.destroy();
    sent.destroy();
  }
}

/** @param use starts to read in the turn in which the answer arrives, since it may fail right away */
function answerTo<T>(
  sent: ClientRequest,
  body: string | Readable,
  use: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    sent.on('error', (error) => reject(inWords(error)));
    sent.on('response', (response) => {
      try {
        resolve(use(response));
      } catch (error) {
        reject(error);
      }
    });
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The server switched to another protocol'));
    });
    // Not as text: Node would write the headers, which are bytes, in the encoding of the body.
    if (typeof body === 'string') sent.end(Buffer.from(body));
    // If the other side has already answered, it need not read the rest of the body.
    else pipeline(body, sent).catch((error) => reject(inWords(error)));
  });
}

async function connect(
  wanted: OutboundAddress & Pick<StreamedRequest, 'content'>,
  patienceMs: number,
  signal: AbortSignal,
): Promise<ClientRequest> {
  const { url, policy } = wanted;
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const addresses = await inTime(permittedAddresses(policy, url.hostname, port), signal);
  const send = isSecure ? overHttps : overHttp;
  return send(new URL(url.pathname + url.search, url.origin), {
    method: wanted.method,
    headers: {
      ...asBytes(wanted.headers),
      'content-length': wanted.content?.sizeBytes ?? Buffer.byteLength(wanted.body),
    },
    ...(url.username !== '' && { auth: `${decoded(url.username)}:${decoded(url.password)}` }),
    ...(isSecure && { rejectUnauthorized: wanted.verifiesTls }),
    agent: false,
    lookup: pinnedTo(addresses),
    ...patienceOfEach(patienceMs),
  });
}

/** Node treats a header as bytes in Latin-1. */
const asBytes = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  );

/** Time for each address of a host with several; Node's default of 250 ms is too short for distant ones. */
const patienceOfEach = (patienceMs: number): Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> => ({
  autoSelectFamilyAttemptTimeout: Math.ceil(patienceMs / 4),
});

/** If a host has several addresses, each fails separately, and Node has no message for all of them. */
const inWords = (error: Error): Error =>
  error instanceof AggregateError ? new Error(error.errors.map(({ message }) => message).join('; ')) : error;

async function readAnswer(response: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((enough) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= mostBytes) enough();
    });
    // If the connection is closed, the received part is the answer.
    response
      .once('end', enough)
      .once('close', enough)
      .on('error', () => enough());
    signal.addEventListener('abort', () => enough());
  });
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    body: Buffer.concat(chunks).subarray(0, mostBytes),
  };
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, headersAtMost)
      .map(([name, value]) => [name, [value].flat().join(', ').slice(0, headerLengthAtMost)]),
  );

async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    // An answer that has arrived is returned in the same turn.
    signal.addEventListener('abort', () => setImmediate(() => reject(new Error('The server did not answer in time'))));
  });
  return Promise.race([work, late]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
