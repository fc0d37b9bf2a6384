import type { Readable } from 'node:stream';
import { ByteQueue } from '../process/byte-queue';
import { GitError } from '../process/errors';
import { nextChunk } from '../process/next-chunk';
import { decodeName } from '../process/text';
import type { RefUpdate } from '../refs/refs';
import { takePacket } from './pkt-line';

/** The commands of a pushing client, which come before the pack in its request. */
export interface PushCommands {
  updates: RefUpdate[];
  capabilities: Set<string>;
  /** Push options, as `merge_request.create`; in the given order. */
  options: string[];
  /** The bytes read so far, for git; the rest is still in the stream. */
  head: Buffer;
}

/**
 * About seventy thousand refs: they are stored in one document until they have moved, which can hold half as much
 * again.
 */
export const MAX_COMMAND_BYTES = 8 << 20;
export const MAX_OPTIONS = 100;
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+?)\n?$/s;

/**
 * Reads up to the flush packet after the commands, or after the push options. @throws request_malformed,
 * request_too_large
 */
export async function readPushCommands(input: Readable): Promise<PushCommands> {
  const queue = new ByteQueue();
  const taken: Buffer[] = [];
  const commands: Omit<PushCommands, 'head'> = { updates: [], capabilities: new Set(), options: [] };
  let hasCommands = false;
  for (let size = 0; ; ) {
    const chunk = await nextChunk(input);
    if (!chunk) return { ...commands, head: Buffer.concat(taken) };
    size += chunk.length;
    if (size > MAX_COMMAND_BYTES + MAX_COMMAND_BYTES / 8) throw new GitError('request_too_large');
    taken.push(chunk);
    queue.push(chunk);
    for (let next = takePacket(queue); next; next = takePacket(queue)) {
      if (next.isFlush && (hasCommands || !commands.capabilities.has('push-options')))
        return { ...commands, head: Buffer.concat(taken) };
      if (next.isFlush) hasCommands = true;
      else if (hasCommands) readOption(next.payload, commands);
      else readCommand(next.payload, commands);
    }
  }
}

function readCommand(payload: Buffer, commands: Omit<PushCommands, 'head'>): void {
  const text = payload.toString('latin1');
  if (text.startsWith('shallow ')) return;
  const [command, capabilities] = text.split('\0', 2) as [string, string | undefined];
  for (const capability of capabilities?.trim().split(' ') ?? []) commands.capabilities.add(capability);
  const match = COMMAND.exec(command);
  if (!match) throw new GitError('request_malformed');
  const [, before, after, name] = match as unknown as [string, string, string, string];
  commands.updates.push({
    refName: decodeName(Buffer.from(name, 'latin1')),
    before: idOrNull(before),
    after: idOrNull(after),
  });
}

function readOption(payload: Buffer, { options }: Omit<PushCommands, 'head'>): void {
  if (options.length < MAX_OPTIONS) options.push(payload.toString('utf8').replace(/\n$/, '').slice(0, 1000));
}

function idOrNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}
