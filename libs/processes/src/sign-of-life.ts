import type { ChildProcess } from 'node:child_process';
import { describeWork } from './at-work';
import { waitedForProcessorMs } from './waited-for-processor';

const question = 'alive?';
const questions = 5;
/** So many more are asked at most of a child that waits for a processor: one that hangs does that too where many run. */
const mostExcused = 25;

interface SignOfLife {
  atWork: string;
}

/** Answers a parent that asks whether this process still takes its turns. */
export function answerSignsOfLife(): void {
  process.on('message', (message) => {
    // A parent that is gone meanwhile needs no answer.
    if (message === question) process.send?.({ atWork: describeWork() }, undefined, undefined, () => undefined);
  });
}

/**
 * Asks a child with a channel, and calls once when it has not answered for so long. Counted in questions: a parent that
 * slept itself, with its machine, asks again before it blames anybody. A machine that has more to do than it can keeps a
 * child from its turn: then it may take up to six times as long.
 * @param onSilent called with what the child worked on when it last answered
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
  /** Since it was last looked at. */
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
