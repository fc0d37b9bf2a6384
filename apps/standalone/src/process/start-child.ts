import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { on } from 'node:events';
import path from 'node:path';
import { type Placement, type RunningProgram, startProgram } from '@moothall/infrastructure';
import type { Turn } from './supervised';

/** A Node program of Moothall, as data. */
export interface ChildDefinition {
  name: string;
  /** Absolute path of its main module, which sends `{ type: 'ready' }` to its parent and ends on SIGTERM. */
  module: string;
  args?: readonly string[] | undefined;
  env: NodeJS.ProcessEnv;
  /** Whether others listen on the same ports; a free one accepts each connection. */
  sharesPorts?: boolean | undefined;
  /** Whether it may wait for a lease of another process, which it reports with `{ type: 'standing-by' }`. */
  isStandBy?: boolean | undefined;
}

interface ChildOptions {
  place: Placement;
  turn: Turn;
  stopWithinMs: number;
  /** It is ended after so long without an answer. */
  silentMs: number;
  /** Called with a message for the operator. */
  warn: (message: string) => void;
  onLine: (line: string) => void;
  /** Called with each started process. */
  onStarted: (started: ChildProcess) => void;
}

/** @throws ProgramError, see startProgram */
export function startChild(child: ChildDefinition, options: ChildOptions): Promise<RunningProgram> {
  const { name, module, args = [], env, sharesPorts, isStandBy } = child;
  const { place, turn, stopWithinMs, silentMs, warn, onLine, onStarted } = options;
  const enough = isStandBy || turn.isReplacing ? ['ready', 'standing-by'] : ['ready'];
  return startProgram({
    name,
    command: process.execPath,
    args: [module, ...args],
    env,
    hasChannel: true,
    ...(sharesPorts && { launch: () => forkSharing(child) }),
    silent: {
      afterMs: silentMs,
      onSilent: (atWork) =>
        warn(`${name} has not answered for ${silentMs / 1000} s; before that it worked on ${atWork}`),
    },
    logFile: path.join(place.logFolder, `${name}.log`),
    pidFile: path.join(place.runFolder, `${name}${turn.copy === 0 ? '' : `.${turn.copy}`}.pid`),
    signal: place.signal,
    onLine,
    stopWithinMs,
    readyWithinMs: 180_000,
    waitUntilReady: async (started, signal) => {
      onStarted(started);
      // A single iteration: `once` in a loop would miss the second of two messages that arrive together.
      for await (const [message] of on(started, 'message', { signal })) {
        if (enough.includes(message?.type)) return;
      }
    },
  });
}

/**
 * They accept connections themselves. Connections that this process passes on would be lost if the receiver ends just
 * then: Node does not detect connections that it had not accepted yet, and the client would wait for ever.
 */
function forkSharing({ module, args = [], env }: ChildDefinition): ChildProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: module, args: [...args], execArgv: [], silent: true });
  return cluster.fork(env).process;
}
