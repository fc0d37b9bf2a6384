import { type AccessCase, cellsOf, operationNamed, rules, type SubjectName } from '../access/matrix';
import { type FurtherCase, furtherCases } from './further-cases';

/** A request whose cost counts for its operation. */
export interface BudgetRequest {
  /** Of the operation. */
  name: string;
  of: SubjectName;
  asked: AccessCase;
  /** Who may send it, by state of the subject. */
  roles: { [state: string]: string };
}

/** States in which writes are sent: each has records of its own. Reads are sent in the first one. */
export const statesOf: { [subject in SubjectName]: string[] } = {
  project: ['private', 'public', 'internal'],
  group: ['private', 'public', 'internal'],
  issue: ['open', 'confidential'],
  epic: ['open', 'confidential'],
  snippet: ['private', 'public', 'internal'],
  user: ['active'],
  instance: ['here'],
};

/** The first of them that may is taken: a member with few permissions, since administrators need no lookups. */
const byPreference = ['self', 'guest', 'reporter', 'developer', 'maintainer', 'owner', 'outsider', 'administrator'];

/** Records are created, read, changed and only then removed; deeper ones are created later, and removed first. */
const order = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
/**
 * Last, one after the other: what changes a record for all others, what ends the subject for others, and its removal.
 */
const endings = [
  /^POST .*\/fork\/:other_project$/,
  /^(POST|PUT) .*\/(merge|promote|ban|deactivate)$|^DELETE .*\/(impersonation_tokens\/:impersonation|members\/:member|security\/projects\/:project|:id\/fork)$/,
  /^(POST|PUT) .*\/(block|archive|transfer)$/,
  /^DELETE \/\w+\/:(id|user)(\?|$)/,
];

/** Whether others do not succeed after it. */
export const isEnding = (ask: string): boolean => endings.some((ending) => ending.test(ask));

function placeOf({ asked: { ask } }: BudgetRequest): number {
  const [method = '', path = ''] = ask.split(/[ ?]/);
  const depth = path.split('/').length / 100;
  if (isEnding(ask)) return order.length + endings.findIndex((ending) => ending.test(ask));
  return order.indexOf(method) + (method === 'DELETE' ? 1 - depth : depth);
}

function fromMatrix(): BudgetRequest[] {
  const found = new Map<string, BudgetRequest>();
  for (const { of, asked, role, state, expected } of rules.flatMap(cellsOf)) {
    if (expected !== 'ok' || !statesOf[of].includes(state) || !byPreference.includes(role)) continue;
    const name = operationNamed(asked.ask)!;
    const request = found.get(asked.ask) ?? { name, of, asked, roles: {} };
    const known = request.roles[state];
    if (!known || byPreference.indexOf(role) < byPreference.indexOf(known)) request.roles[state] = role;
    found.set(asked.ask, request);
  }
  return [...found.values()];
}

/** All requests, in the order in which they are sent. */
export function budgetRequests(): BudgetRequest[] {
  const further = new Map<string, AccessCase & { as?: string }>(
    furtherCases.map((one) => [operationNamed(one.ask)!, one]),
  );
  const requests = fromMatrix().map((one) => {
    const { as, ...asked }: FurtherCase = further.get(one.name) ?? one.asked;
    const states = Object.keys(one.roles);
    return { ...one, asked, ...(as && { roles: Object.fromEntries(states.map((state) => [state, as])) }) };
  });
  return requests.sort((one, other) => placeOf(one) - placeOf(other));
}
