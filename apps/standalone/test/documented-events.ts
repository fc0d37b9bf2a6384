import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contracts from '@moothall/contracts';
import { z } from 'zod';
import { exampleOf } from './example-of';

const root = path.resolve(__dirname, '../../..');

const isEvent = (exported: unknown): exported is contracts.EventContract =>
  typeof exported === 'object' && exported !== null && 'data' in exported && exported.data instanceof z.ZodType;

/** Every event, by the name of its constant. */
const events = Object.entries<unknown>(contracts).flatMap(
  ([constant, exported]): [string, contracts.EventContract][] => (isEvent(exported) ? [[constant, exported]] : []),
);

/** All sources, by app or lib. */
const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).flatMap((name) =>
    textsBelow(path.join(root, folder, name, 'src')).map((text) => ({ name, text })),
  ),
);

/** docs/events.md, from the contracts and the handlers. */
export function renderEvents(): string {
  const services = [...new Set(events.map(([, { name }]) => serviceOf(name)))].sort();
  return [introduction, ...services.map(renderService)].join('\n');
}

/** Services that publish an event; its name decides. */
export const publishersOf = (constant: string): string[] =>
  findIn(new RegExp(`\\bnewEvent\\(\\s*${constant}\\b`)).filter((name) => name !== 'testing');

export const eventNames = events.map(([constant, { name, data }]) => ({ constant, name, data }));

const introduction = `# Events

The events that services publish on JetStream, with their fields, an example and their consumers; one section for each service.
\`npm run events:accept\` writes this page from the contracts and the \`@OnEvent\` handlers, and a test fails when it is out of date.

A consumer has the name of its position in the stream, as in \`npm run dead-letters\`. It receives each event at least once, in
any order. Caches have no position: they receive events while they are connected, and drop the entries that an event names. A
field that is a *snapshot* has the state when the event was stored. It may have changed since, so consumers ask for the current
state. Fields with a \`?\` may be missing; the examples have all fields.
`;

function renderService(service: string): string {
  const own = events.filter(([, { name }]) => serviceOf(name) === service);
  const sorted = own.sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  return [`## ${service}\n`, ...sorted.map(([constant, event]) => renderEvent(constant, event))].join('\n');
}

function renderEvent(constant: string, event: contracts.EventContract): string {
  const consumers = consumersOf(constant);
  const caches = cachesOf(constant, event.name);
  return [
    `### ${event.name}\n`,
    ...descriptionOf(constant),
    ...renderFields(event.data),
    ...renderExample(event.data),
    consumers.length > 0 ? `Consumed by ${consumers.join(', ')}.` : 'Nothing consumes it yet.',
    ...(caches.length > 0 ? [`Drops cache entries of ${caches.join(', ')}.`] : []),
    '',
  ].join('\n');
}

/** The comment above its declaration. */
function descriptionOf(constant: string): string[] {
  const declared = new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s*export const ${constant} = event\\(`, 's');
  const [found] = sources.flatMap(({ name, text }) => (name === 'contracts' ? (declared.exec(text)?.[1] ?? []) : []));
  return found ? [`${found.replace(/\s*\n\s*\*\s?/g, ' ').trim()}\n`] : [];
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  description?: string;
  past?: boolean;
}

function renderFields(data: z.ZodType): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(data, { io: 'input', unrepresentable: 'any' }) as Schema;
  const rows = Object.entries(properties).map(([name, field]) => {
    const words = [field.past ? '*snapshot*' : [], field.description ?? []].flat().join(': ');
    const mark = required.includes(name) ? '' : '?';
    return `| \`${name}${mark}\` | \`${typeOf(field).replaceAll('|', '\\|')}\` | ${words} |`;
  });
  return rows.length > 0 ? ['| field | type | |\n| --- | --- | --- |', ...rows, ''] : [];
}

const renderExample = (data: z.ZodType): string[] => [
  `\`\`\`json\n${JSON.stringify(exampleOf(data), null, 1)}\n\`\`\`\n`,
];

/** In TypeScript notation. */
function typeOf({ type, enum: values, const: value, anyOf, properties, required = [], items }: Schema): string {
  if (values) return values.map((one) => JSON.stringify(one)).join(' | ');
  if (value !== undefined) return JSON.stringify(value);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ');
  if (items) return /[ |]/.test(typeOf(items)) ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  if (!properties) return type === undefined ? 'unknown' : [type].flat().join(' | ');
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function consumersOf(constant: string): string[] {
  const consumes = new RegExp(`@OnEvent\\(\\s*${constant},\\s*'([^']+)'`, 'g');
  const maps = new RegExp(`\\bmapEvent\\(\\s*${constant}\\b`);
  const inOrder = findIn(maps).map((name) => `${name} (\`FollowEvents\`)`);
  return sources
    .flatMap(({ name, text }) => [...text.matchAll(consumes)].map(([, consumer]) => `${name} (\`${consumer}\`)`))
    .concat(inOrder)
    .sort();
}

/** Services with a cache in a file that names the event, or a prefix of its name. */
function cachesOf(constant: string, eventName: string): string[] {
  const named = new RegExp(`\\b${constant}\\.name\\b|new KeptAnswer\\(\\w+, ${constant}\\b`);
  const listens = /\blisten\(connection,|new KeptAnswer\(/;
  const found = sources.filter(({ text }) => listens.test(text) && (named.test(text) || isMeant(text, eventName)));
  return [...new Set(found.map(({ name }) => name))].sort();
}

const isMeant = (text: string, eventName: string): boolean =>
  [...text.matchAll(/'([\w.-]+\.)>'/g)].some(([, start]) => eventName.startsWith(start!));

const findIn = (pattern: RegExp): string[] => [
  ...new Set(sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)),
];

function textsBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.spec)\.tsx?$/.test(file),
  );
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

function serviceOf(eventName: string): string {
  return eventName.slice(0, eventName.indexOf('.'));
}
