import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { RefUpdate } from '../refs/refs';
import type { PushRules } from './judge-push';

type Inspect = NonNullable<PushRules['inspect']>;

/** Maximum length of a path on disk. */
const longestPath = 8192;

/**
 * Answers git's hook, which sends the location of the pushed objects on a channel of its own and reads back the
 * objections: lines with a dash, or `ok`. Without an answer the hook refuses the push.
 */
export function inspectPush(child: ChildProcess, updates: readonly RefUpdate[], inspect: Inspect): void {
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) return;
  // The hook has exited, and with it the reader of the answer.
  channel.on('error', () => undefined);
  let asked = '';
  const hear = (chunk: Buffer) => {
    asked += chunk.toString('utf8');
    const end = asked.indexOf('\n');
    if (end < 0 && asked.length < longestPath) return;
    channel.off('data', hear).resume();
    answer(asked.slice(0, Math.max(end, 0)) || undefined, updates, inspect).then(
      (line) => channel.end(line),
      () => channel.destroy(),
    );
  };
  channel.on('data', hear);
}

async function answer(
  quarantine: string | undefined,
  updates: readonly RefUpdate[],
  inspect: Inspect,
): Promise<string> {
  try {
    const objection = await inspect(updates, quarantine);
    return objection === undefined ? 'ok\n' : `-${objection}\n`;
  } catch {
    return '-The push cannot be checked now. Try again later.\n';
  }
}
