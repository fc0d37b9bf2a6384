import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import { permittedAddresses } from './permitted-addresses';
import { pinnedTo } from './pinned-to';
import type { OutboundPolicy } from './policy';

export interface OutboundRequest {
  method: string;
  /** By http or https; a name and password in it become basic authentication. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the certificate of the server is checked. */
  verifiesTls: boolean;
  policy: OutboundPolicy;
  /** For all of it: finding the address, connecting, sending, and reading the answer. */
  timeoutMs: number;
  /** Of the answer's body no more is read. */
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
 * Sends one request to a server outside, over a connection of its own, to an address that the policy permits. Redirects are
 * not followed. A server that answered and then says no more is done.
 * @throws OutboundBlocked; Error with words for people when nothing was answered
 */
export async function sendRequest(wanted: OutboundRequest): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(wanted.timeoutMs);
  const { url, policy } = wanted;
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const addresses = await inTime(permittedAddresses(policy, url.hostname, port), signal);
  const send = isSecure ? overHttps : overHttp;
  const sent = send(new URL(url.pathname + url.search, url.origin), {
    method: wanted.method,
    headers: { ...wanted.headers, 'content-length': Buffer.byteLength(wanted.body) },
    ...(url.username !== '' && { auth: `${decoded(url.username)}:${decoded(url.password)}` }),
    ...(isSecure && { rejectUnauthorized: wanted.verifiesTls }),
    agent: false,
    lookup: pinnedTo(addresses),
    ...patienceOfEach(wanted),
  });
  try {
    return await inTime(answerOf(sent, wanted, signal), signal);
  } finally {
    sent.destroy();
  }
}

function answerOf(sent: ClientRequest, { body, mostBytes }: OutboundRequest, signal: AbortSignal) {
  return new Promise<OutboundAnswer>((resolve, reject) => {
    sent.on('error', (error) => reject(inWords(error)));
    sent.on('response', (response) => resolve(readAnswer(response, mostBytes, signal)));
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The server switched to another protocol'));
    });
    sent.end(body);
  });
}

/** Of a host with several addresses each has so long; Node's own 250 ms are too few for far ones. */
const patienceOfEach = ({ timeoutMs }: OutboundRequest): Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> => ({
  autoSelectFamilyAttemptTimeout: Math.ceil(timeoutMs / 4),
});

/** Where a host has several addresses each fails by itself, and Node has no words for all of them. */
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
    // What has an answer already tells it in the same turn.
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
