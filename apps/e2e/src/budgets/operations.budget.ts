import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations } from '@moothall/contracts';
import { notYet } from '../access/not-yet';
import { type Measurement, measure } from './measure';
import { rowsOfMostUsed } from './most-used';
import { notMeasured } from './not-measured';
import { kinds, type Spent, type Step, spentOn } from './spent';

/*
 * What each operation waits for when its caches are warm: commands of MongoDB and Redis, calls of services, published
 * events and git processes, on the whole server, counted in its traces. budgets.json has the most that it may be.
 * `npm run budgets` prints it; `npm run budgets:accept` measures and writes it.
 */

const file = path.join(__dirname, 'budgets.json');
const page = path.resolve(__dirname, '../../../../docs/performance-round-trips.md');
/** The rows of the page's last table, which ends it. */
const rows = /(?<=\| --- \|\n)(\|.*\|\n)*$/;
const budgets = (): { [operation: string]: Spent } => JSON.parse(readFileSync(file, 'utf8'));
const isAccepting = process.env.BUDGETS === 'accept';

const isOver = (steps: Step[], budget: Spent = {}): boolean => {
  const spent = spentOn(steps);
  return kinds.some((kind) => (spent[kind] ?? 0) > (budget[kind] ?? 0));
};

function overBudget({ least }: Measurement): [string, Step[]][] {
  const most = budgets();
  return [...least].filter(([name, steps]) => isOver(steps, most[name]));
}

/** Of two measurements, the cheaper request of each operation. */
function cheaperOf(one: Measurement, other: Measurement): Measurement {
  const least = new Map(one.least);
  for (const [name, steps] of other.least)
    if (steps.length < (least.get(name)?.length ?? Number.POSITIVE_INFINITY)) least.set(name, steps);
  return { ...one, least };
}

/** Of two measurements the larger number of each kind, so that what depends on chance is not above its budget. */
function accept(one: Measurement, other: Measurement): void {
  const names = [...one.least.keys()].sort();
  const lines = names.map((name) => {
    const [spent, again] = [one, other].map(({ least }) => spentOn(least.get(name) ?? [])) as [Spent, Spent];
    const most = kinds.map((kind) => [kind, Math.max(spent[kind] ?? 0, again[kind] ?? 0)] as const);
    const counts = most.filter(([, count]) => count > 0).map(([kind, count]) => `"${kind}": ${count}`);
    return `  "${name}": { ${counts.join(', ')} }`;
  });
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
  writeFileSync(page, readFileSync(page, 'utf8').replace(rows, `${rowsOfMostUsed(budgets())}\n`));
}

let measured: Measurement;

beforeAll(async () => {
  measured = await measure();
  if (!isAccepting && overBudget(measured).length === 0) return;
  // An event handler may have changed a record meanwhile.
  const again = await measure();
  if (isAccepting) accept(measured, again);
  measured = cheaperOf(measured, again);
}, 900_000);

it('no operation waits for more than its budget', () => {
  const lines = overBudget(measured).map(([name, steps]) => {
    const names = steps.map((step) => step.name).join(', ');
    return `${name}: ${JSON.stringify(spentOn(steps))} instead of ${JSON.stringify(budgets()[name])}: ${names}`;
  });
  expect(lines).toEqual([]);
});

const namesIn = (list: { readonly [resource: string]: string }) =>
  Object.entries(list).flatMap(([resource, verbs]) => verbs.split(' ').map((verb) => `${resource}.${verb}`));

it('every operation has a budget, or is listed as not measured', () => {
  const routed = operations.filter(({ routes }) => routes.length > 0).map(({ name }) => name);
  const listed = [...namesIn(notMeasured), ...namesIn(notYet)].sort();
  const without = routed.filter((name) => !measured.least.has(name)).sort();
  const reasons = without.filter((name) => !listed.includes(name)).map((name) => measured.refused.get(name) ?? name);
  expect(reasons).toEqual([]);
  expect(without).toEqual(listed);
  expect(Object.keys(budgets()).sort()).toEqual([...measured.least.keys()].sort());
});

it('the page about round trips has the budgets of the operations that clients use most', () =>
  expect(rows.exec(readFileSync(page, 'utf8'))?.[0]).toBe(`${rowsOfMostUsed(budgets())}\n`));
