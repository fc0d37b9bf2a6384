import type { ChildProcess } from 'node:child_process';
import { describeWork } from './at-work';

const question = 'alive?';
const questions = 5;

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
 * slept itself, with its machine, asks again before it blames anybody.
 * @param onSilent hears what the child worked on when it answered last
 * @returns stops it
 */
export function expectSignsOfLife(
  child: ChildProcess,
  silentMs: number,
  onSilent: (atWork: string) => void,
): () => void {
  let unanswered = 0;
  let lastAtWork = 'nothing';
  const hear = (message: unknown) => {
    if (!isSignOfLife(message)) return;
    unanswered = 0;
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
    unanswered += 1;
    if (child.connected) child.send(question, () => undefined);
  }, silentMs / questions).unref();
  child.on('message', hear);
  return stop;
}

const isSignOfLife = (message: unknown): message is SignOfLife =>
  typeof message === 'object' && message !== null && 'atWork' in message;
