import { operations } from '@moothall/contracts';
import { ask } from '../server/connection';
import { until } from '../server/until';
import { bodyOf, pathOf } from './case-request';
import { type Cell, cellsOf, operationNamed, rules, subjectNamed, subjects } from './matrix';
import { notYet } from './not-yet';
import { makeWorld, type World } from './world';

/*
 * Requests every operation of the matrix through the gateway, as every role and for every state of its subject. A failure names the
 * operation, the role, the state, the expected answer and the actual one. `npm run test:slow -- replicas` requests all cells
 * (`ACCESS=all`).
 */

interface Answer {
  status: number;
  body: string;
  headers: string[];
  /** For lists: the total, and the next page. */
  total: string | null;
  next: string | null;
}

const atOnce = 8;
/** They depend on how much of the body had arrived when the response was sent. */
const ofConnection = new Set(['connection', 'keep-alive']);

let world: World;
const answers = new Map<Cell, Answer>();

/**
 * All cells take minutes. `npm test` requests each operation for some states always and for one of the others in turn:
 * as the first and the last role, and as the roles between which the answer changes.
 */
const isWhole = process.env.ACCESS === 'all';
/** For a missing subject all roles are equal. */
const goneFor = ['anonymous', 'outsider', 'administrator'];
const isGone = (state: string) => state === 'deleted' || state === 'missing';

const operationsInTurn = [...new Set(rules.flatMap(cellsOf).map(({ asked }) => asked.ask))];

function isAsked({ of, asked, role, state, expected, isAtLimit }: Cell): boolean {
  if (asked.refusedOnly && expected === 'ok') return false;
  if (isGone(state) && !goneFor.includes(role)) return false;
  if (isWhole) return true;
  // Refused before anything is looked up; apps/gateway/test/access-matrix.spec.ts requests that of every operation.
  if (isGone(state) && expected === '401') return false;
  if (!isGone(state) && !isAtLimit) return false;
  const { always, states } = subjectNamed(of);
  const others = states.filter((one) => !always.includes(one));
  const turn = others[operationsInTurn.indexOf(asked.ask) % others.length];
  return always.includes(state) || state === turn;
}

const cells = rules.flatMap(cellsOf).filter(isAsked);

async function answerTo({ of, asked, role, state }: Cell): Promise<Answer> {
  const records = world.records[of][state] ?? {};
  const [method = ''] = asked.ask.split(' ');
  const response = await ask(pathOf(asked, records), {
    ...{ method, token: world.tokens[role], redirect: 'manual' },
    ...bodyOf(asked, records),
  });
  const headers = [...response.headers.keys()].filter((name) => !ofConnection.has(name)).sort();
  const { status } = response;
  const [total, next] = ['x-total', 'x-next-page'].map((name) => response.headers.get(name)) as [
    string | null,
    string | null,
  ];
  return { status, body: await response.text(), headers, total, next };
}

/** A 503 of an overloaded machine says nothing about permissions: retry. */
async function answerInTime(cell: Cell): Promise<Answer> {
  return until(cell.asked.ask, async () => {
    const answer = await answerTo(cell);
    return answer.status < 500 || cell.asked.passes?.includes(answer.status) ? answer : undefined;
  });
}

function isAsExpected({ of, asked, expected }: Cell, { status, body }: Answer): boolean {
  const absent = asked.absent ?? subjectNamed(of).absent;
  if (expected === '404') return status === 404 && (absent === undefined || body === absent);
  if (expected !== 'ok') return String(status) === expected;
  const isOfNone = status === 404 && (asked.ask.includes(':none') || asked.passes?.includes(404)) === true;
  return body !== absent && ((status >= 200 && status < 300) || isOfNone || (asked.passes?.includes(status) ?? false));
}

beforeAll(async () => {
  world = await makeWorld();
  const waiting = [...cells];
  const worker = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) answers.set(cell, await answerInTime(cell));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}, 600_000);

it.each(rules.map((rule) => [rule.rule, rule]))('%s', (_name, rule) => {
  const beside = [...answers]
    .filter(([cell, answer]) => cell.rule === rule && !isAsExpected(cell, answer))
    .map(([cell, { status, body }]) =>
      [cell.asked.ask, cell.state, cell.role, `${cell.expected} expected`, `${status} ${body.slice(0, 150)}`].join(
        ', ',
      ),
    );
  expect(beside).toEqual([]);
});

it('a hidden record answers exactly like a missing one', () => {
  const ofMissing = new Map<string, string>();
  const keyOf = ({ of, asked }: Cell, role: string) => `${of} ${asked.ask} ${role}`;
  for (const [cell, answer] of answers)
    if (cell.state === 'missing') ofMissing.set(keyOf(cell, cell.role), JSON.stringify(answer));
  const closed = [...answers].filter(([{ expected, state }]) => expected === '404' && state !== 'missing');
  const telling = closed.flatMap(([cell, answer]) => {
    const { asked, role, state } = cell;
    const missing = ofMissing.get(keyOf(cell, role)) ?? ofMissing.get(keyOf(cell, 'outsider'));
    const found = JSON.stringify(answer);
    return missing === found ? [] : [`${asked.ask}, ${state}, ${role}: ${found} instead of ${missing}`];
  });
  expect(closed.length).toBeGreaterThan(500);
  expect(telling).toEqual([]);
});

/** For lists: whether the total is larger than the page; for a page of many: whether it is smaller. */
function countsOtherwise({ status, body, total, next }: Answer): boolean {
  const items: unknown = status === 200 && total !== null ? JSON.parse(body) : undefined;
  if (!Array.isArray(items)) return false;
  return next ? Number(total) <= items.length : Number(total) !== items.length;
}

it('lists count the records the caller may see, and no others', async () => {
  const lists = [...answers].filter(([, { status, total }]) => status === 200 && total !== null);
  const otherwise: string[] = [];
  for (const [cell] of lists.filter(([, answer]) => countsOtherwise(answer))) {
    // A record may have been created between the page and its count; by now no more are created.
    const again = await answerInTime(cell);
    if (countsOtherwise(again))
      otherwise.push(`${cell.asked.ask}, ${cell.state}, ${cell.role}: ${again.total} of ${again.body.slice(0, 150)}`);
  }
  expect(lists.length).toBeGreaterThan(500);
  expect(otherwise).toEqual([]);
});

describe('the table', () => {
  it('has a cell for each role, in states that there are', () => {
    for (const { table, of = 'project' } of rules) {
      const { roles, states } = subjects[of];
      const [heading, ...lines] = table
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      expect(heading).toEqual(roles);
      for (const [state, ...expected] of lines) {
        expect(states).toContain(state);
        expect(expected).toHaveLength(roles.length);
        expect(expected.filter((cell) => !['ok', '400', '401', '403', '404'].includes(cell))).toEqual([]);
      }
    }
  });

  it('names every operation, or has it in the list of those that have no place yet', () => {
    const asked = rules.flatMap((rule) =>
      rule.operations.map((operation) => (typeof operation === 'string' ? operation : operation.ask)),
    );
    const named = new Set(asked.map(operationNamed));
    const routed = operations.filter((operation) => operation.routes.length > 0).map(({ name }) => name);
    const without = routed.filter((name) => !named.has(name));
    expect(asked.filter((text) => operationNamed(text) === undefined)).toEqual([]);
    const listed = Object.entries(notYet).flatMap(([of, verbs]) => verbs.split(' ').map((verb) => `${of}.${verb}`));
    expect(without.sort()).toEqual(listed.sort());
  });
});
