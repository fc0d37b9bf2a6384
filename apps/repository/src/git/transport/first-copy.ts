import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { missingFromPack } from '../objects/pack-index';
import { ByteQueue } from '../process/byte-queue';
import { checkedOutput } from '../process/checked-output';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import type { RefSnapshot } from './copy';
import { FLUSH, packet, takePacket } from './pkt-line';

/** Requests all objects of some ids from a source, in version 0 of git's protocol. */
export type PackSource = <T>(request: string, use: (answer: Readable) => Promise<T>, signal: AbortSignal) => Promise<T>;

const CAPABILITIES = 'side-band-64k ofs-delta no-progress agent=moothall';
const PACK_BAND = 1;
const ERROR_BAND = 3;
const NOT_GIT = 'the primary does not answer as git does';

/**
 * Fills a new repository with all refs of a source: one request and one process; git's own clone needs five. The pack
 * is checked as in a clone: its checksums, every link in it, and that it contains all refs.
 * @param repository empty, and outside of any project's place
 * @throws git_failed, timed_out, cancelled, disk_full
 */
export async function copyFirst(
  git: GitRunner,
  repository: string,
  { head, refs }: RefSnapshot,
  source: { pack: PackSource; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<void> {
  if (refs.length === 0) return;
  const ids = [...new Set(refs.map(({ id }) => id))].sort();
  const inTime = AbortSignal.timeout(source.timeoutMs);
  const signal = source.signal ? AbortSignal.any([source.signal, inTime]) : inTime;
  try {
    const pack = await source.pack(requestFor(ids), (answer) => index(git, repository, answer, signal), signal);
    const missing = await missingFromPack(join(repository, 'objects/pack', `pack-${pack}.idx`), ids);
    if (missing !== null) throw new GitError('git_failed', '', `the primary does not send ${missing}, which it shows`);
  } catch (error) {
    throw inTime.aborted ? new GitError('timed_out') : error;
  }
  const lines = refs.map(({ name, id }) => ({ bytes: Buffer.from(name), id })).sort(byBytes);
  const file = ['# pack-refs with: sorted \n', ...lines.map(({ bytes, id }) => `${id} ${bytes.toString()}\n`)];
  await writeFile(join(repository, 'packed-refs'), file.join(''), { flush: git.fsync });
  if (head !== null) await writeFile(join(repository, 'HEAD'), `ref: refs/heads/${head}\n`, { flush: git.fsync });
}

const byBytes = (one: { bytes: Buffer }, other: { bytes: Buffer }): number => Buffer.compare(one.bytes, other.bytes);

function requestFor(ids: readonly string[]): string {
  const wants = ids.map((id, index) => packet(`want ${id}${index === 0 ? ` ${CAPABILITIES}` : ''}\n`));
  return Buffer.concat([...wants, FLUSH, packet('done\n')]).toString();
}

/** @returns the name of the pack */
async function index(git: GitRunner, repository: string, answer: Readable, signal: AbortSignal): Promise<string> {
  const args = ['index-pack', '--stdin', '--check-self-contained-and-connected'];
  const child = await git.open(repository, args, { signal });
  const output = text(checkedOutput(child, repository, 'index-pack'));
  const [sent, indexed] = await Promise.allSettled([send(answer, child), output]);
  // Git's error for a truncated pack does not name the cause.
  if (sent.status === 'rejected' && !hasEndedItself(sent.reason)) throw wordsOf(sent.reason);
  if (indexed.status === 'rejected') throw indexed.reason;
  const [, name] = /^pack\t([0-9a-f]{40})\s*$/.exec(indexed.value) ?? [];
  if (name === undefined) throw new GitError('git_failed', '', `git index-pack says ${indexed.value.slice(0, 200)}`);
  return name;
}

const send = (answer: Readable, child: ChildProcessWithoutNullStreams): Promise<void> =>
  pipeline(Readable.from(packIn(answer), { objectMode: false }), child.stdin);

/** The reader that stopped early has reported its own error. */
const hasEndedItself = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE';

const wordsOf = (error: Error): Error =>
  error instanceof GitError ? error : new GitError('git_failed', '', `the primary broke off: ${error.message}`);

/** The pack in the answer to a client without objects. */
async function* packIn(answer: Readable): AsyncGenerator<Buffer> {
  const packets = new ByteQueue();
  let isAgreed = false;
  for await (const chunk of answer) {
    packets.push(chunk as Buffer);
    for (let next = take(packets); next; next = take(packets)) {
      if (next.isFlush) return;
      const { payload } = next;
      if (isAgreed) {
        if (payload[0] === PACK_BAND) yield payload.subarray(1);
        else if (payload[0] === ERROR_BAND) throw new GitError('git_failed', '', payload.subarray(1).toString());
      } else if (payload.toString() === 'NAK\n') isAgreed = true;
      else throw refusalIn(payload);
    }
  }
  throw new GitError('git_failed', '', 'the primary broke off');
}

const take = (packets: ByteQueue): ReturnType<typeof takePacket> => {
  try {
    return takePacket(packets);
  } catch {
    throw new GitError('replica_failed', NOT_GIT);
  }
};

const refusalIn = (payload: Buffer): GitError => {
  const words = payload.toString();
  return words.startsWith('ERR ')
    ? new GitError('git_failed', '', words.slice(4))
    : new GitError('replica_failed', NOT_GIT);
};
