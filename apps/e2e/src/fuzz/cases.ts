import { type Operation, operations, present, type Route } from '@moothall/contracts';
import { sample } from '@moothall/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { newSshKey } from '../identity/ssh-key';
import { hostileValue, jsonOf, textOf } from './hostile-values';
import { roles, type World } from './world';

/** One request, as values that can reproduce it. */
export interface Case {
  operation: Operation;
  route: Route;
  role: string;
  form: 'json' | 'form' | 'query' | 'multipart';
  /** Which fields are given, and which of these are hostile: in the order of the contract. */
  given: boolean[];
  hostile: boolean[];
  values: unknown[];
  /** Selects among real records. */
  pick: number;
  extra: unknown;
}

const routed = operations.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
const perField = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 24, maxLength: 24 });
const oneIn = (times: number) => fc.integer({ min: 1, max: times }).map((number) => number === 1);

export const anyCase: fc.Arbitrary<Case> = fc
  .record({
    at: fc.nat({ max: routed.length - 1 }),
    role: fc.constantFrom(...roles, 'member', 'administrator'),
    form: fc.constantFrom('json' as const, 'json' as const, 'form' as const, 'query' as const, 'multipart' as const),
    given: perField(oneIn(3)),
    hostile: perField(oneIn(3)),
    values: perField(hostileValue),
    pick: fc.nat({ max: 1000 }),
    extra: fc.option(hostileValue, { freq: 20, nil: undefined }),
  })
  .map(({ at, ...rest }) => ({ ...routed[at]!, ...rest }));

/** Operations that would end the test data: they remove a token, an account or the project. */
const endsWorlds =
  /\/(self|rotate|block|ban|deactivate|archive|transfer|impersonation_tokens\/:\w+|members\/:\w+|projects\/:project_id)$|^\/(users|projects|groups)\/:id$/;

/**
 * Each operation once without hostile values, in an order in which records are created, read, changed and only then
 * removed: an operation without any success here is not tested in depth.
 */
export function kindCases(seed: number): Case[] {
  const sampled = fc.sample(anyCase, { seed, numRuns: routed.length });
  const order = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
  // Deeper removals come first.
  const depth = ({ method, path }: Route) => (method === 'DELETE' ? -path.split('/').length : 0);
  const place = ({ method, path }: Route) => (endsWorlds.test(path) ? order.length : order.indexOf(method));
  return [...routed]
    .sort((a, b) => place(a.route) - place(b.route) || depth(a.route) - depth(b.route))
    .map((one, index) => {
      const kind = present(sampled[index], 'a sample');
      const none = kind.hostile.map(() => false);
      return {
        ...kind,
        ...one,
        role: one.operation.access.on === 'administrator' ? 'administrator' : 'member',
        form: 'json',
        hostile: none,
        // Other cases test optional fields; here they would only cause refusals.
        given: one.route.method === 'POST' ? none : kind.given,
        extra: undefined,
      };
    });
}

export interface FuzzRequest {
  method: string;
  path: string;
  headers: { [name: string]: string };
  body?: string | FormData;
}

/** The request of a case, with the current records of the world. */
export function requestOf(one: Case, world: World): FuzzRequest {
  const { operation, route } = one;
  const shape = operation.input instanceof z.ZodObject ? (operation.input.shape as Record<string, z.ZodType>) : {};
  const fields: { [name: string]: unknown } = {};
  Object.entries(shape).forEach(([name, schema], index) => {
    const at = index % one.values.length;
    const isRequired = !schema.safeParse(undefined).success;
    if (!isRequired && !one.given[at]) return;
    fields[name] = one.hostile[at] ? one.values[at] : plausible(name, schema, one, world);
  });
  const { path, rest } = pathOf(one, fields, world);
  const url = route.isAtRoot ? path : `/api/v4${path}`;
  const token = world.tokens[one.role];
  const headers: FuzzRequest['headers'] = { ...(token && { 'private-token': token }) };
  if (route.method === 'GET' || one.form === 'query') {
    return { method: route.method, path: `${url}?${new URLSearchParams(pairsOf(rest))}`, headers };
  }
  if (one.form === 'json') {
    const json = one.extra === undefined ? jsonOf(rest) : jsonOf(one.extra);
    return { method: route.method, path: url, headers: { ...headers, 'content-type': 'application/json' }, body: json };
  }
  if (one.form === 'multipart') return { method: route.method, path: url, headers, body: multipart(rest) };
  const body = new URLSearchParams(pairsOf(rest)).toString();
  return {
    method: route.method,
    path: url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  };
}

function multipart(fields: { [name: string]: unknown }): FormData {
  const form = new FormData();
  for (const [name, value] of pairsOf(fields)) form.append(name, value);
  form.append('file', new Blob(['file']), '../a.txt');
  return form;
}

/** Path parameters are real records, unless the case has a hostile value. */
function pathOf({ route, hostile, values, pick }: Case, fields: { [name: string]: unknown }, world: World) {
  const rest = { ...fields };
  let word = '';
  const parts = route.path.split('/').map((part, index) => {
    const [, name, suffix = ''] = /^:(\w+)(.*)$/.exec(part) ?? [];
    if (name === undefined) {
      word = part;
      return part;
    }
    const at = index % values.length;
    // One in three leads nowhere, the others deep.
    const isWrong = hostile[at] && pick % 3 === 0;
    const value = isWrong ? values[at] : recordFor(word, name, pick, world);
    delete rest[name];
    return encodeURIComponent(textOf(value).slice(0, 1000) || 'x') + suffix;
  });
  return { path: parts.join('/'), rest };
}

function recordFor(word: string, name: string, pick: number, world: World): unknown {
  if (word === 'projects' && name === 'id') return world.projectId;
  if (word === 'groups' && name === 'id') return world.groupId;
  if (name.startsWith('user') && word !== 'service_accounts') return world.userIds[pick % world.userIds.length];
  const known = [...world.records.namesFor(word, name), ...(repositoryNames[name] ?? [])];
  return known.length > 0 ? known[pick % known.length] : 1;
}

const repositoryNames: { [name: string]: string[] } = {
  branch: ['main', 'feature'],
  sha: ['main', 'feature', 'v1'],
  ref: ['main', 'v1'],
  file_path: ['README.md', 'a/b.txt'],
  tag_name: ['v1'],
  slug: ['home'],
  name: ['main', 'v1', 'stable'],
};

/** Values of fields that need more than a text. */
const words: { [name: string]: (fresh: string) => unknown } = {
  ...Object.fromEntries(
    ['url', 'link_url', 'image_url', 'redirect_uri', 'external_url'].map((name) => [
      name,
      () => 'https://example.com/x',
    ]),
  ),
  access_level: () => 30,
  base_access_level: () => 30,
  color: () => '#112233',
  cron: () => '0 1 * * *',
  duration: () => '1h',
  email: (fresh) => `mail-${fresh}@example.com`,
  expires_at: () => '2031-01-31',
  freeze_end: () => '0 7 * * 1',
  freeze_start: () => '0 23 * * 5',
  key: newSshKey,
  scopes: () => ['read_registry'],
};

/** A valid value for the field, of a real record if the name tells which. */
function plausible(name: string, schema: z.ZodType, one: Case, world: World): unknown {
  const { pick, values } = one;
  const named = {
    ...repositoryNames,
    token: world.records.namesFor(one.route.path.startsWith('/jobs/:id') ? 'request' : 'runners', 'token'),
    from: ['main'],
    to: ['feature'],
    source_branch: ['feature'],
    target_branch: ['main'],
  }[name];
  if (named && named.length > 0) return named[pick % named.length];
  const [, word] = /^(\w+?)_i?ids?$/.exec(name) ?? [];
  const records = word ? world.records.namesFor(`${word}s`, name.replace(/s$/, '')) : [];
  const record =
    word === 'user' || word === 'assignee' ? world.userIds[0] : records[pick % Math.max(records.length, 1)];
  if (record !== undefined && schema.safeParse(record).success) return record;
  if (record !== undefined && schema.safeParse([record]).success) return [record];
  const worded = words[name]?.(`${pick}-${values.length}`);
  if (worded !== undefined && schema.safeParse(worded).success) return worded;
  const value = sample(schema);
  // Unique, because taken names end most creations early.
  const fresh = `${name}-${pick}-${values.length}`;
  return value === 'x' && schema.safeParse(fresh).success ? fresh : value;
}

/** Fields as the pairs of a query or form, in Rack's notation. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((item) => pairsOf(item, `${name}[]`));
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.entries(value).flatMap(([key, field]) => pairsOf(field, name ? `${name}[${key}]` : key));
  return [[name, textOf(value)]];
}
