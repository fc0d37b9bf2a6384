import type { ChildProcess } from 'node:child_process';
import { describeWork } from './at-work';
import { waitedForProcessorMs } from './waited-for-processor';

const question = 'alive?';
const questions = 5;
/** Limit of additional checks of a child that waits for a processor: on a busy machine a hanging one does that too. */
const mostExcused = 25;

interface SignOfLife {
  atWork: string;
}

/** Answers a parent that checks whether this process responds. */
export function answerSignsOfLife(): void {
  process.on('message', (message) => {
    // A parent that has ended meanwhile needs no answer.
    if (message === question) process.send?.({ atWork: describeWork() }, undefined, undefined, () => undefined);
  });
}

/**
 * Checks a child with a channel, and calls back once if it has not answered for this time. Counted in checks: a
 * parent that was suspended with its machine checks again first. On an overloaded machine a child may take up to six
 * times as long.
 * @param onSilent called with the work of the child at its last answer
 * @param waitedMs how long a process has waited for a processor so far
 * @returns stops it
 */
export function expectSignsOfLife(
  child: ChildProcess,
  silentMs: number,
  onSilent: (atWork: string) => void,
  waitedMs: (pid: number) => number = waitedForProcessorMs,
): () => void {
  const intervalMs = silentMs / questions;
  let unanswered = 0;
  let excused = 0;
  let waitedBeforeMs = 0;
  let lastAtWork = 'nothing';
  /** Since the last check. */
  const wasKeptFromItsTurn = () => {
    const nowMs = waitedMs(Number(child.pid));
    const isSo = nowMs - waitedBeforeMs > intervalMs / 2;
    waitedBeforeMs = nowMs;
    return isSo;
  };
  const hear = (message: unknown) => {
    if (!isSignOfLife(message)) return;
    unanswered = 0;
    excused = 0;
    lastAtWork = message.atWork;
  };
  const stop = () => {
    clearInterval(timer);
    child.off('message', hear);
  };
  const timer = setInterval(() => {
    if (unanswered === questions) {
      stop();
      onSilent(lastAtWork);
      return;
    }
    if (wasKeptFromItsTurn() && unanswered > 0 && excused < mostExcused) excused += 1;
    else unanswered += 1;
    if (child.connected) child.send(question, () => undefined);
  }, intervalMs).unref();
  child.on('message', hear);
  return stop;
}

const isSignOfLife = (message: unknown): message is SignOfLife =>
  typeof message === 'object' && message !== null && 'atWork' in message;
