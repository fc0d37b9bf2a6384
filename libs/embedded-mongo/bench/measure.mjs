import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

export const CONNECTIONS = 32;

export async function connect(uri, connections = CONNECTIONS) {
  const client = new MongoClient(uri, { maxPoolSize: connections, minPoolSize: connections });
  await client.connect();
  return client;
}

/**
 * Runs `connections` concurrent operations for a time. @returns operations a second, and the server's processor time
 * for one
 */
export async function rate(server, operation, { seconds, connections = CONNECTIONS }) {
  let done = 0;
  let isOver = false;
  const worker = async () => {
    while (!isOver) {
      await operation();
      done++;
    }
  };
  const cpuBefore = server.cpuMicros;
  const start = performance.now();
  const workers = Promise.all(Array.from({ length: connections }, worker));
  await sleep(seconds * 1000);
  isOver = true;
  await workers;
  const elapsed = (performance.now() - start) / 1000;
  return { perSecond: done / elapsed, cpuMicros: (server.cpuMicros - cpuBefore) / done };
}

/** Milliseconds of operations one after the other, sorted. */
export async function latencies(operation, count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await operation();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

export const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
export const median = (numbers) =>
  quantile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  );
