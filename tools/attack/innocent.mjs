/** A client that only reads while others attack. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const everyMs = 50;
const cloneEveryMs = 10_000;
/** A request without an answer counts with this time. */
const patienceMs = 30_000;
const run = promisify(execFile);

/** Requests do not wait for earlier responses, so that a blocked server shows. */
export class Innocent {
  /** Milliseconds of each response. */
  times = [];
  gitTimes = [];
  failures = [];
  #open = new Set();

  constructor(stack, { paths, repository }) {
    this.stack = stack;
    this.paths = paths;
    this.repository = repository;
  }

  start() {
    let turn = 0;
    this.timers = [
      setInterval(() => this.#track(this.#read(this.paths[turn++ % this.paths.length])), everyMs),
      setInterval(() => this.#track(this.#lsRemote()), cloneEveryMs),
    ];
  }

  async stop() {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.#open);
  }

  #track(work) {
    const tracked = work.catch((error) => this.failures.push(String(error))).finally(() => this.#open.delete(tracked));
    this.#open.add(tracked);
  }

  async #read(path) {
    const began = performance.now();
    try {
      const response = await fetch(`${this.stack.url}${path}`, {
        headers: { 'private-token': this.stack.token },
        signal: AbortSignal.timeout(patienceMs),
      });
      await response.arrayBuffer();
      if (!response.ok) this.failures.push(`${path}: ${response.status}`);
    } finally {
      this.times.push(performance.now() - began);
    }
  }

  async #lsRemote() {
    const began = performance.now();
    await run('git', ['ls-remote', this.repository], { timeout: patienceMs });
    this.gitTimes.push(performance.now() - began);
  }
}

/** @param share for example 0.99 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
