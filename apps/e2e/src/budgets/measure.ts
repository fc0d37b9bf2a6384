import { randomBytes } from 'node:crypto';
import { bodyOf, pathOf } from '../access/case-request';
import { makeWorld, type Records, type World } from '../access/world';
import { newGpgKey } from '../identity/gpg-key';
import { newSshKey } from '../identity/ssh-key';
import type { CollectedSpan } from '../server/collector';
import { ask } from '../server/connection';
import { until } from '../server/until';
import { LatestRecords } from './latest-records';
import { type BudgetRequest, budgetRequests, isEnding, statesOf } from './requests';
import { isWhole, type Step, stepsIn } from './spent';

export interface Measurement {
  /** The request with the fewest steps, by name of the operation. */
  least: Map<string, Step[]>;
  /** Operations without a success, with their last answer. */
  refused: Map<string, string>;
}

/** A write is sent once in each round, to records of its own if its subject has several states. */
const rounds = [0, 1, 2];
/** A read is sent that often in the first round; it finds everything cached the second time. */
const timesRead = 3;

/**
 * Sends every request by a role that may, one after the other. Of several requests of an operation the one with the
 * fewest steps counts: the caches are warm, and nothing else happens meanwhile.
 */
export async function measure(): Promise<Measurement> {
  const world = await makeWorld();
  const traces: { name: string; traceId: string }[] = [];
  const refused = new Map<string, string>();
  for (const round of rounds) {
    const latest = new LatestRecords();
    for (const request of budgetRequests()) {
      const { name } = request;
      for (const answer of await send(request, round, world, latest)) {
        if (answer.refusal === undefined) traces.push({ name, traceId: answer.traceId });
        else refused.set(name, answer.refusal);
      }
    }
  }
  const least = new Map<string, Step[]>();
  for (const { name, traceId } of traces) {
    const steps = stepsIn(await traceOf(traceId));
    const known = least.get(name);
    if (!known || steps.length < known.length) least.set(name, steps);
  }
  for (const name of least.keys()) refused.delete(name);
  return { least, refused };
}

interface Answer {
  traceId: string;
  refusal?: string;
}

/** @returns nothing for a request that is not sent in this round */
async function send(request: BudgetRequest, round: number, world: World, latest: LatestRecords): Promise<Answer[]> {
  const { of, asked, roles } = request;
  const [method = '', path = ''] = asked.ask.split(/[ ?]/);
  const states = statesOf[of].filter((state) => roles[state]);
  const state = states[round % states.length];
  if (state === undefined || (method === 'GET' && round > 0)) return [];
  if (isEnding(asked.ask) && round < rounds.length - states.length) return [];
  const records = { ...latest.byWord(), ...world.records[of][state], ...othersFor(request, world) };
  const token = world.tokens[roles[state]!];
  if (method !== 'GET' && records.id) await warmUp(of, records, token);
  const filled = { ...asked, ask: latest.fillIn(asked.ask) };
  const answers: Answer[] = [];
  for (let times = 0; times < (method === 'GET' ? timesRead : 1); times++) {
    const traceId = randomBytes(16).toString('hex');
    const { headers, ...body } = bodyOf(filled, records);
    const response = await ask(pathOf(filled, records), {
      ...{ method, token, redirect: 'manual', ...body },
      headers: { ...headers, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
    });
    const text = await response.text();
    const refusal = `${asked.ask} as ${roles[state]}: ${response.status} ${text.slice(0, 200)}`;
    answers.push({ traceId, ...(response.status >= 400 && { refusal }) });
    if (method === 'POST' && response.ok) latest.learn(path, text);
  }
  return answers;
}

/** Names in further cases that no record of the subject has. */
function othersFor({ asked: { body } }: BudgetRequest, { ids, records: { group, project } }: World): Records {
  const text = JSON.stringify(body ?? {});
  return {
    outsider: ids.outsider!,
    other_group: group.shared!.id!,
    internal_group: group.internal!.id!,
    other_project: project.archived!.id!,
    ...(text.includes(':ssh_key') && { ssh_key: newSshKey() }),
    ...(text.includes(':openpgp_key') && { openpgp_key: JSON.stringify(newGpgKey()).slice(1, -1) }),
  };
}

/** The gateway has the permissions of the caller in its cache afterwards. */
async function warmUp(of: string, { id }: Records, token: string | undefined): Promise<void> {
  const place = of === 'group' || of === 'epic' ? 'groups' : 'projects';
  const response = await ask(`/api/v4/${place}/${id}`, { token });
  await response.arrayBuffer();
}

/** The spans of a trace, once all have arrived. */
function traceOf(traceId: string): Promise<CollectedSpan[]> {
  return until(`the spans of ${traceId}`, async () => {
    const response = await fetch(`${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/${traceId}`);
    const spans = (await response.json()) as CollectedSpan[];
    return isWhole(spans) ? spans : undefined;
  });
}
