import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { OwnServer } from '../server/own-server';
import { SteadyLoad } from '../server/steady-load';
import { until } from '../server/until';
import { check } from './check';
import { Receiver } from './receiver';
import { type Outcome, table, wrongsOf } from './table';
import { makeScene } from './writes';

const clients = 4;
/** Enough load, while two cores can still start a process. */
const pauseMs = 100;
const patienceMs = 120_000;
/** After so long without failures, the next fault does not overlap with the last one. */
const quietMs = 2_000;
/** Errors after which a client may retry. */
const clean = /: (502|503|504|507) /;

/** Puts servers under load through one fault after another, and collects the results. */
export class ChaosTest {
  private readonly outcomes: Outcome[] = [];
  private readonly receiver = new Receiver();
  private taken = 0;

  start(): Promise<void> {
    return this.receiver.start();
  }

  end(): void {
    this.receiver.stop();
    process.stdout.write(`\n${table(this.outcomes)}\n`);
  }

  /** Called before the first fault of a server. */
  async prepare(server: OwnServer): Promise<void> {
    await this.receiver.allowOn(server);
    await server.api('POST', '/features/first_class_vulnerabilities', { value: true });
  }

  /**
   * Records lost, duplicated, delivered without being stored, or refused without a clear error since the last call:
   * expected to be empty.
   */
  takeWrongs(): object[] {
    const taken = this.taken;
    this.taken = this.outcomes.length;
    return wrongsOf(this.outcomes.slice(taken));
  }

  /** One fault under load in its own project, from quiet to quiet. */
  async under(server: OwnServer, what: string, fault: () => Promise<void>): Promise<void> {
    const scene = await makeScene(server, `chaos-${Date.now()}`);
    await this.receiver.follow(server, scene);
    const creates = scene.writes.map(({ deed }) => deed);
    const deeds = creates.flatMap((create, at) => [create, scene.reads[at % scene.reads.length]!]);
    const load = new SteadyLoad(server, deeds, clients, pauseMs);
    const count = () => creates.map((create) => load.done.get(create)!.length);
    let seconds = 0;
    try {
      await until('load', () => count().every((each) => each >= 2), patienceMs);
      const before = load.failures.length;
      const beganAt = performance.now();
      await fault();
      const then = count();
      const isQuiet = () => performance.now() - load.lastFailureAt > quietMs;
      const since = () => count().map((each, at) => each - then[at]!);
      await until('recovery', () => isQuiet() && since().every((each) => each > 1), patienceMs).catch(() => {
        const last = load.failures.slice(before).slice(-3).join('; ');
        throw new Error(`no recovery from ${what}: ${since()} of each done since; the last failures: ${last}`);
      });
      if (load.failures.length > before) seconds = (load.lastFailureAt - beganAt) / 1000;
    } finally {
      await load.end();
    }
    const findings = await check(server, scene, load, this.receiver);
    const cut = load.failed.filter(({ isAnswered }) => !isAnswered).length;
    const refused = load.failed.length - cut;
    const answered = load.failures.filter((_, at) => load.failed[at]!.isAnswered);
    const unclean = answered.filter((failure) => !clean.test(failure));
    this.outcomes.push({ ...findings, what, requests: load.count, cut, refused, unclean, seconds });
    process.stdout.write(`${table(this.outcomes.slice(-1)).split('\n').at(-1)}\n`);
  }
}

/** Names of a server's current processes, without the number of a replacement. */
export function processesOf(server: OwnServer): string[] {
  const files = readdirSync(path.join(server.dataFolder, 'run')).filter((file) => file.endsWith('.pid'));
  const names = files.map((file) => file.replace(/(\.\d+)?\.pid$/, ''));
  return [...new Set(names)].filter((name) => name !== 'moothall' && server.pidOf(name) !== undefined).sort();
}

/** Ends a process by a signal, and waits until its replacement is ready. */
export async function end(server: OwnServer, name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const began = (await server.ready()).get(name);
  const pid = server.pidOf(name)!;
  process.kill(pid, signal);
  await untilReplaced(server, name, pid, began);
}

/** @param began start of the former process; undefined for programs that do not report when they are ready */
async function untilReplaced(server: OwnServer, name: string, pid: number, began?: number): Promise<void> {
  await until(`another ${name}`, () => ![pid, undefined].includes(server.pidOf(name)), patienceMs);
  if (began === undefined) return;
  const isReady = async () => ((await server.ready()).get(name) ?? 0) > began;
  await until(`${name} is ready`, isReady, patienceMs, 200);
}

/** Longer than a pause, and shorter than the supervisor's timeout. */
export async function standStill(server: OwnServer, name: string, forMs = 3_000): Promise<void> {
  const pid = server.pidOf(name)!;
  process.kill(pid, 'SIGSTOP');
  try {
    await new Promise((resolve) => setTimeout(resolve, forMs));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Stops the process, which its supervisor has to notice. */
export async function hang(server: OwnServer, name: string): Promise<void> {
  const began = (await server.ready()).get(name);
  const pid = server.pidOf(name)!;
  process.kill(pid, 'SIGSTOP');
  await untilReplaced(server, name, pid, began);
}
