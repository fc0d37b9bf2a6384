import type { IncomingMessage } from 'node:http';
import { eachConcurrently } from '@moothall/background';
import { lfsOid, OperationError, wordsOf } from '@moothall/contracts';
import { type OutboundPolicy, sendRequest, streamRequest } from '@moothall/outbound';
import { z } from 'zod';
import type { LfsPointer } from './lfs-pointer';

const mediaType = 'application/vnd.git-lfs+json';
/** The batch size of git-lfs. */
const atOnce = 100;
/** Small objects are limited by latency, not by bandwidth. Half of the concurrency of git-lfs. */
const movedAtOnce = 4;
const answerWithinMs = 60_000;
/** An object is aborted after so long without progress. */
const idleMs = 60_000;
const mostAnswerBytes = 4 * 1024 ** 2;
const longestWords = 300;
/** Limit of redirects of a download. */
const mostRedirects = 3;
/** An action that expires so soon is not used. */
const expiryMarginMs = 5_000;

// Input from another server: longer values are not valid in the protocol.
const action = z.object({
  href: z.url({ protocol: /^https?$/ }).max(8192),
  header: z.record(z.string().max(256), z.string().max(8192)).default({}),
  expires_in: z.number().optional(),
  expires_at: z.string().max(64).optional(),
});
/** A URL, the headers for it, and its expiry by the clock of this process. */
export interface LfsAction {
  href: string;
  header: Record<string, string>;
  endsAt: number;
}
/** In the form of another server, parsed at once: its expiry may be relative. */
export const LfsAction = action.transform(
  ({ href, header, expires_in, expires_at }): LfsAction => ({ href, header, endsAt: endOf(expires_in, expires_at) }),
);

const LfsAnswer = z.object({
  oid: lfsOid,
  error: z.object({ message: z.string().default('') }).optional(),
  actions: z
    .object({ download: LfsAction.optional(), upload: LfsAction.optional(), verify: LfsAction.optional() })
    .optional(),
});
/** The answer of another server about one object. */
export type LfsAnswer = z.output<typeof LfsAnswer>;
const Batch = z.object({ objects: z.array(LfsAnswer).max(atOnce) });

/** Headers that follow from the request itself; the other server may not set them. */
const ownHeaders = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

type Operation = 'download' | 'upload';

/** LFS objects of a repository on another server. */
export interface LfsRemote {
  /** The batch endpoint, for each batch: an action may have expired meanwhile. */
  endpoint(): Promise<LfsAction>;
  /** The repository itself: its name and password are sent to its own server only. */
  repository: URL;
  policy: OutboundPolicy;
  signal: AbortSignal;
}

/** The default endpoint of git-lfs for a repository by http or https, whose URL may lack the suffix. */
export function endpointOf(repository: URL): LfsAction {
  const url = new URL(repository);
  const path = withoutLastSlashes(url);
  url.pathname = `${path.endsWith('.git') ? path : `${path}.git`}/info/lfs`;
  return { href: url.href, header: {}, endsAt: Number.POSITIVE_INFINITY };
}

function withoutLastSlashes({ pathname }: URL): string {
  const parts = pathname.split('/');
  while (parts.at(-1) === '') parts.pop();
  return parts.join('/');
}

/**
 * Requests the actions of objects in batches from another server, and processes some of them concurrently. It requests
 * actions again that expire before they are used. Source: git-lfs, batch API and basic transfers.
 * @param goOn called with the answer about an object, undefined if the server leaves it out
 * @throws Error with a message for users; errors of `goOn`
 */
export async function withEach(
  objects: readonly LfsPointer[],
  operation: Operation,
  remote: LfsRemote,
  goOn: (object: LfsPointer, answer: LfsAnswer | undefined) => Promise<void>,
): Promise<void> {
  for (let rest = [...objects]; rest.length > 0; ) {
    const [some, left] = [rest.slice(0, atOnce), rest.slice(atOnce)];
    const answers = await askBatch(some, operation, remote);
    const late: LfsPointer[] = [];
    await eachConcurrently(some, movedAtOnce, async (object) => {
      const answer = answers.get(object.oid);
      const isLate = Object.values(answer?.actions ?? {}).some((given) => given && hasEnded(given));
      // The first object is always transferred now, so that the loop also ends with a server whose actions expire soon.
      if (isLate && object !== some[0]) late.push(object);
      else await goOn(object, answer);
    });
    rest = [...late, ...left];
  }
}

async function askBatch(
  objects: readonly LfsPointer[],
  operation: Operation,
  remote: LfsRemote,
): Promise<Map<string, LfsAnswer>> {
  const endpoint = await remote.endpoint();
  const url = new URL(endpoint.href);
  url.pathname = `${withoutLastSlashes(url)}/objects/batch`;
  const named = objects.map(({ oid, size }) => ({ oid, size }));
  const question = { operation, transfers: ['basic'], objects: named, hash_algo: 'sha256' };
  const mayLeadOn = operation === 'download' ? mostRedirects : 0;
  const body = await postJson({ ...endpoint, href: url.href }, question, remote, mayLeadOn);
  const read = Batch.safeParse(parsed(body));
  if (!read.success) throw new Error('the other server does not answer as Git LFS does');
  return new Map(read.data.objects.map((answer) => [answer.oid, answer]));
}

/** @returns the response body */
export async function postJson(to: LfsAction, question: unknown, remote: LfsRemote, mayLeadOn = 0): Promise<Buffer> {
  remote.signal.throwIfAborted();
  const { status, headers, body } = await sendRequest({
    method: 'POST',
    url: addressOf(to, remote),
    headers: { ...headersOf(to), accept: mediaType, 'content-type': mediaType },
    body: JSON.stringify(question),
    verifiesTls: true,
    policy: remote.policy,
    timeoutMs: answerWithinMs,
    mostBytes: mostAnswerBytes,
  });
  const next = mayLeadOn > 0 ? ledTo(to, status, headers.location) : undefined;
  if (next) return postJson(next, question, remote, mayLeadOn - 1);
  requireTaken(status);
  return body;
}

/** @param use consumes the bytes as they arrive, in any number */
export async function readObject(
  from: LfsAction,
  remote: LfsRemote,
  use: (bytes: IncomingMessage) => Promise<void>,
  mayLeadOn = mostRedirects,
): Promise<void> {
  const { policy, signal } = remote;
  const url = addressOf(from, remote);
  const wanted = { method: 'GET', url, headers: headersOf(from), body: '', verifiesTls: true, policy, idleMs, signal };
  const next = await streamRequest(wanted, async (answer) => {
    const led = mayLeadOn > 0 ? ledTo(from, answer.statusCode ?? 0, answer.headers.location) : undefined;
    if (led) return led;
    requireTaken(answer.statusCode ?? 0);
    await use(answer);
    return undefined;
  });
  if (next) await readObject(next, remote, use, mayLeadOn - 1);
}

export async function writeObject(
  to: LfsAction,
  remote: LfsRemote,
  content: NonNullable<Parameters<typeof streamRequest>[0]['content']>,
): Promise<void> {
  const { policy, signal } = remote;
  const headers = { 'content-type': 'application/octet-stream', ...headersOf(to) };
  const wanted = { method: 'PUT', url: addressOf(to, remote), headers, body: '', verifiesTls: true, policy };
  await streamRequest({ ...wanted, idleMs, signal, content }, async (answer) => {
    answer.resume();
    requireTaken(answer.statusCode ?? 0);
  });
}

/** A message for users, without URLs of requests and without texts of other servers. */
export const lfsFailure = (error: unknown): string => `Git LFS: ${reasonOf(error).slice(0, longestWords)}`;

export function reasonOf(error: unknown): string {
  if (error instanceof OperationError) return wordsOf(error);
  return error instanceof Error ? error.message : String(error);
}

/** Name and password are sent to the repository's own server only. */
function addressOf({ href }: LfsAction, { repository }: LfsRemote): URL {
  const url = new URL(href);
  if (url.origin === repository.origin)
    Object.assign(url, { username: repository.username, password: repository.password });
  return url;
}

/** Redirects in the way of git-lfs: headers are sent to the same server only, and never from https to http. */
function ledTo(from: LfsAction, status: number, location: string | undefined): LfsAction | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const before = new URL(from.href);
  const after = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (!after || !/^https?:$/.test(after.protocol) || (before.protocol === 'https:' && after.protocol === 'http:'))
    throw new Error('the other server redirects to an invalid address');
  return { ...from, href: after.href, header: after.origin === before.origin ? from.header : {} };
}

const headersOf = ({ header }: LfsAction): Record<string, string> =>
  Object.fromEntries(
    Object.entries(header)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ownHeaders.has(name)),
  );

/** The earlier of the two; invalid values are ignored. */
function endOf(inSeconds: number | undefined, at: string | undefined): number {
  // Some servers send the zero date for no expiry.
  const times = [inSeconds ? Date.now() + inSeconds * 1000 : Number.NaN, at ? Date.parse(at) : Number.NaN];
  return Math.min(...times.filter((time) => time > 0), Number.POSITIVE_INFINITY);
}

export const hasEnded = ({ endsAt }: LfsAction): boolean => Date.now() > endsAt - expiryMarginMs;

function requireTaken(status: number): void {
  if (status < 200 || status >= 300) throw new Error(`the other server answers ${status}`);
}

/** @returns undefined for invalid JSON */
export function parsed(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
