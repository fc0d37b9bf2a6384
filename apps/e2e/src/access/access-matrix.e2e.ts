import { randomBytes } from 'node:crypto';
import { operations, type Route } from '@moothall/contracts';
import { ask } from '../server/connection';
import { until } from '../server/until';
import { type Asked, type Rule, roles, rules, states } from './matrix';
import { notYet } from './not-yet';
import { makeWorld, type Records, type Role, type State, type World } from './world';

/*
 * Every operation of the matrix, in every role, of projects in every state, through the gateway. What is beside the matrix
 * is told whole: operation, role, state, what was expected, and what came. `ACCESS=all` asks everything there is.
 */

type Expected = 'ok' | '401' | '403' | '404';

interface Cell {
  asked: Asked;
  role: Role;
  state: State;
  expected: Expected;
}

interface Answer {
  status: number;
  body: string;
  headers: string[];
}

const atOnce = 8;
/** They tell how far a body had come when it was answered. */
const ofConnection = new Set(['connection', 'keep-alive']);
const closedProject = '{"message":"404 Project Not Found"}';

let world: World;
const answers = new Map<Cell, Answer>();

/** Rows and columns of a table, each of them by name. */
function cellsOf({ table, operations: named }: Rule): Cell[] {
  const [heading, ...lines] = table.trim().split('\n');
  const columns = heading!.trim().split(/\s+/) as Role[];
  return lines.flatMap((line) => {
    const [state, ...expected] = line.trim().split(/\s+/) as [State, ...Expected[]];
    return named.flatMap((operation) => {
      const asked = typeof operation === 'string' ? { ask: operation } : operation;
      return columns.map((role, at) => ({ asked, role, state, expected: expected[at]! }));
    });
  });
}

/** All of it takes minutes; otherwise each operation is asked of these and of one of the others. */
const isWhole = process.env.ACCESS === 'all';
const always: readonly State[] = ['public', 'private', 'missing'];
const others = states.filter((state) => !always.includes(state));
/** Where nothing is, nobody is different from the next. */
const goneFor: readonly Role[] = ['anonymous', 'outsider', 'administrator'];
const isGone = (state: State) => state === 'deleted' || state === 'missing';

const operationsInTurn = [...new Set(rules.flatMap(cellsOf).map(({ asked }) => asked.ask))];

function isAsked({ asked, role, state, expected }: Cell): boolean {
  if (asked.refusedOnly && expected === 'ok') return false;
  if (isGone(state) && !goneFor.includes(role)) return false;
  const turn = others[operationsInTurn.indexOf(asked.ask) % others.length];
  return isWhole || always.includes(state) || state === turn;
}

const cells = rules.flatMap(cellsOf).filter(isAsked);

const fillIn = (text: string, records: Records): string =>
  text.replace(/:(\w+)/g, (whole, name: string) =>
    name === 'new' ? `n${randomBytes(5).toString('hex')}` : (records[name] ?? whole),
  );

async function answerTo({ asked, role, state }: Cell): Promise<Answer> {
  const records = world.records[state];
  const [method = '', path = ''] = asked.ask.split(' ');
  const response = await ask(`/api/v4${fillIn(path, records)}`, {
    ...{ method, token: world.tokens[role], redirect: 'manual' },
    ...(asked.body && {
      headers: { 'content-type': 'application/json' },
      body: fillIn(JSON.stringify(asked.body), records),
    }),
  });
  const headers = [...response.headers.keys()].filter((name) => !ofConnection.has(name)).sort();
  return { status: response.status, body: await response.text(), headers };
}

/** A machine that has no time for it just now says nothing about who may. */
async function answerInTime(cell: Cell): Promise<Answer> {
  return until(cell.asked.ask, async () => {
    const answer = await answerTo(cell);
    return answer.status < 500 || cell.asked.passes?.includes(answer.status) ? answer : undefined;
  });
}

function isAsExpected({ asked, expected }: Cell, { status, body }: Answer): boolean {
  if (expected === '404') return status === 404 && body === closedProject;
  if (expected !== 'ok') return String(status) === expected;
  const isOfNone = status === 404 && (asked.ask.includes(':none') || asked.passes?.includes(404)) === true;
  return (
    body !== closedProject && ((status >= 200 && status < 300) || isOfNone || (asked.passes?.includes(status) ?? false))
  );
}

/** Of the operations that a path may lead to, the one that has most of its words, and is the one chosen by its query. */
function nameOf(text: string, routes: (Route & { name: string })[]): string | undefined {
  const [method = '', path = '', query = ''] = text.split(/[ ?]/);
  const chosen = new URLSearchParams(query);
  const parts = path.split('/');
  const own = routes.filter((route) => {
    const words = route.path.split('/');
    const isLike = words.every((word, at) => word.startsWith(':') || word === parts[at]);
    const isChosen = route.when === undefined || chosen.get(route.when.parameter) === route.when.value;
    return route.method === method && words.length === parts.length && isLike && isChosen;
  });
  const namesOf = (route: { path: string }) => route.path.split('/').filter((word) => word.startsWith(':')).length;
  return own.sort((one, other) => namesOf(one) - namesOf(other))[0]?.name;
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
  const own = new Set(rule.operations.map((operation) => (typeof operation === 'string' ? operation : operation.ask)));
  const beside = [...answers]
    .filter(([cell, answer]) => own.has(cell.asked.ask) && !isAsExpected(cell, answer))
    .map(([cell, { status, body }]) =>
      [cell.asked.ask, cell.state, cell.role, `${cell.expected} expected`, `${status} ${body.slice(0, 150)}`].join(
        ', ',
      ),
    );
  expect(beside).toEqual([]);
});

it('what may not be read answers as what never was, to the letter', () => {
  const nameOfCaller = (role: Role) => (role === 'anonymous' ? 'anonymous' : 'signed in');
  const ofMissing = new Map<string, string>();
  for (const [{ asked, role, state }, answer] of answers)
    if (state === 'missing') ofMissing.set(`${asked.ask} ${nameOfCaller(role)}`, JSON.stringify(answer));
  const closed = [...answers].filter(([{ expected, state }]) => expected === '404' && state !== 'missing');
  const telling = closed.flatMap(([{ asked, role, state }, answer]) => {
    const missing = ofMissing.get(`${asked.ask} ${nameOfCaller(role)}`);
    const found = JSON.stringify(answer);
    return missing === found ? [] : [`${asked.ask}, ${state}, ${role}: ${found} instead of ${missing}`];
  });
  expect(closed.length).toBeGreaterThan(500);
  expect(telling).toEqual([]);
});

describe('the table', () => {
  it('has a cell for each role, in states that there are', () => {
    for (const { table } of rules) {
      const [heading, ...lines] = table
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      expect(heading).toEqual(roles);
      for (const [state, ...expected] of lines) {
        expect(states).toContain(state);
        expect(expected).toHaveLength(roles.length);
        expect(expected.filter((cell) => !['ok', '401', '403', '404'].includes(cell))).toEqual([]);
      }
    }
  });

  it('names every operation, or has it in the list of those that have no place yet', () => {
    const asked = rules.flatMap((rule) =>
      rule.operations.map((operation) => (typeof operation === 'string' ? operation : operation.ask)),
    );
    const routes = operations.flatMap(({ name, routes: own }) => own.map((route) => ({ name, ...route })));
    const named = new Set(asked.map((text) => nameOf(text, routes)));
    const routed = operations.filter((operation) => operation.routes.length > 0).map(({ name }) => name);
    const without = routed.filter((name) => !named.has(name));
    expect(asked.filter((text) => nameOf(text, routes) === undefined)).toEqual([]);
    const listed = Object.entries(notYet).flatMap(([of, verbs]) => verbs.split(' ').map((verb) => `${of}.${verb}`));
    expect(without.sort()).toEqual(listed.sort());
  });
});
