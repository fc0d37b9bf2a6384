import type { OwnServer } from '../server/own-server';
import type { SteadyLoad } from '../server/steady-load';
import { until } from '../server/until';
import { deliveredKinds, type Receiver } from './receiver';
import { everything, type Scene } from './writes';

/** Time limit of follow-up work: events of a killed consumer are redelivered after 15 s, jobs after 20 s. */
const patienceMs = 180_000;

/** The result of a load, compared with the state of the server. */
export interface Findings {
  /** Acknowledged, but missing or not delivered. */
  lost: string[];
  /** Stored twice, or delivered twice. */
  doubled: string[];
  /** Delivered, but missing. */
  untrue: string[];
  /** Refused or interrupted, but stored: complete and readable. */
  undone: string[];
  /** Created by jobs. */
  deliveries: number;
  /** Repeated requests with the original answer, by their `Idempotency-Key`. */
  again: number;
}

/** Waits until all follow-up work of acknowledged writes is done, and compares the results. */
export async function check(server: OwnServer, scene: Scene, load: SteadyLoad, receiver: Receiver): Promise<Findings> {
  const done = new Map(scene.writes.map(({ what, deed }) => [what, load.done.get(deed)!]));
  const named = (what: string) => done.get(what)!.map((key) => `${what} ${key}`);
  const deliveredOf = deliveredKinds.flatMap(named);
  const findings: Findings = { lost: [], doubled: [], untrue: [], undone: [], deliveries: 0, again: 0 };
  const late = async (what: string, missing: () => Promise<string[]> | string[]) => {
    let last: string[] = [];
    const isThere = async () => {
      last = await missing();
      return last.length === 0;
    };
    await until(what, isThere, patienceMs, 500).catch(() => undefined);
    findings.lost.push(...last.map((one) => `${what}: ${one}`));
  };

  await late('delivered', () => deliveredOf.filter((one) => !receiver.of(scene).has(one)));
  await late('in the feed', async () => {
    const feed = new Set((await feedOf(server, scene)).map((title) => `issue ${title}`));
    return named('issue').filter((one) => !feed.has(one));
  });

  const there = new Set<string>();
  for (const { what, deed, list, keyOf } of scene.writes) {
    const keys = (await everything<object>(server, list)).flatMap((item) => keyOf(item) ?? []);
    const once = new Set(keys);
    for (const key of once) there.add(`${what} ${key}`);
    findings.lost.push(...done.get(what)!.flatMap((key) => (once.has(key) ? [] : [`${what} ${key}`])));
    findings.doubled.push(...repeated(keys).map((key) => `${what} ${key}`));
    const failures = load.failed.filter((failed) => failed.deed === deed && once.has(failed.key));
    findings.undone.push(...failures.map(({ key }) => `${what} ${key}`));
  }
  findings.doubled.push(...repeated(await feedOf(server, scene)).map((title) => `in the feed: issue ${title}`));
  for (const [one, deliveries] of receiver.of(scene)) {
    const different = new Set(deliveries).size;
    findings.deliveries += different;
    findings.again += deliveries.length - different;
    if (different > 1) findings.doubled.push(`delivered: ${one}`);
    if (!there.has(one)) findings.untrue.push(one);
  }
  return findings;
}

/** Titles of issues in the project's feed. */
async function feedOf(server: OwnServer, { project }: Scene): Promise<string[]> {
  const events = await everything<{ target_title: string }>(
    server,
    `${project}/events?target_type=issue&action=created`,
  );
  return events.map(({ target_title }) => target_title);
}

const repeated = (keys: readonly string[]): string[] => keys.filter((key, at) => keys.indexOf(key) !== at);
