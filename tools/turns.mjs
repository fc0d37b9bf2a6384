/**
 * Turns for files of tests, of which many run beside each other and most wait for most of their time: whoever is to
 * begin one asks, and hears once the processors have time for it (jest/environment.js asks).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { cpus } from 'node:os';

/** How often is looked, and who began with the last look shows in the next. */
const lookMs = 400;
/** That part of all processors has nothing to do. */
const leastIdle = 0.2;
/** A machine that is never idle runs the tests all the same. */
const patienceMs = 10_000;

/** @returns where to ask, and how to end it */
export async function openTurns() {
  const waiting = [];
  let last = times();
  let givenAt = Date.now();
  const timer = setInterval(() => {
    const now = times();
    const idle = (now.idle - last.idle) / Math.max(now.all - last.all, 1);
    last = now;
    if (waiting.length === 0 || (idle < leastIdle && Date.now() - givenAt < patienceMs)) return;
    givenAt = Date.now();
    waiting.shift().end();
  }, lookMs);
  const server = createServer((_request, response) => {
    // Who has given up takes nobody's turn.
    response.once('close', () => {
      const at = waiting.indexOf(response);
      if (at >= 0) waiting.splice(at, 1);
    });
    waiting.push(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Of all processors together, since the machine began. */
function times() {
  const all = cpus().map((one) => one.times);
  const sum = (values) => values.reduce((one, other) => one + other, 0);
  return { idle: sum(all.map(({ idle }) => idle)), all: sum(all.flatMap((one) => Object.values(one))) };
}
