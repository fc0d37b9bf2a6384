import { once } from 'node:events';
import path from 'node:path';
import { type Placement, type RunningProgram, startProgram } from '@moothall/infrastructure';

/** A Node program of Moothall itself, as data. */
export interface ChildDefinition {
  name: string;
  /** Absolute path of its main module, which sends `{ type: 'ready' }` to its parent and ends on SIGTERM. */
  module: string;
}

interface ChildOptions {
  place: Placement;
  env: NodeJS.ProcessEnv;
  stopWithinMs: number;
  /** It is ended when it answers nothing for so long. */
  silentMs: number;
  /** Told of that, in words for a person. */
  warn: (message: string) => void;
  onLine: (line: string) => void;
}

/** @throws ProgramError, see startProgram */
export function startChild({ name, module }: ChildDefinition, options: ChildOptions): Promise<RunningProgram> {
  const { place, env, stopWithinMs, silentMs, warn, onLine } = options;
  return startProgram({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', module],
    env,
    hasChannel: true,
    silent: {
      afterMs: silentMs,
      tell: (atWork) => warn(`${name} has not answered for ${silentMs / 1000} s; before that it worked on ${atWork}`),
    },
    logFile: path.join(place.logFolder, `${name}.log`),
    pidFile: path.join(place.runFolder, `${name}.pid`),
    signal: place.signal,
    onLine,
    stopWithinMs,
    readyWithinMs: 60_000,
    waitUntilReady: async (child, signal) => {
      for (;;) {
        const [message] = await once(child, 'message', { signal });
        if (message?.type === 'ready') return;
      }
    },
  });
}
