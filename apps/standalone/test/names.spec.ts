import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** Words that are not terms of the field, with their replacement (CONTRIBUTING.md, "Words"). */
const instead: Readonly<Record<string, string>> = {
  told: 'payload, message',
  tell: 'publish, notify',
  tells: 'publish, notify',
  say: 'publish, print',
  says: 'publish, print',
  said: 'publish, print',
  hear: 'receive, subscribe',
  hears: 'receive, subscribe',
  heard: 'receive, subscribe',
  announce: 'publish',
  keep: 'store, cache, retain',
  keeper: 'store, cache, retain',
  kept: 'store, cache, retain',
  holder: 'owner, bearer',
  holders: 'owner, bearer',
  standing: 'owner',
  standings: 'owner',
  aside: 'failed job, dead letter',
  sweep: 'periodic job',
  sweeps: 'periodic job',
  sweeper: 'periodic job',
  parcel: 'large message',
  parcels: 'large message',
  courier: 'delivery handler',
  couriers: 'delivery handler',
  past: 'snapshot',
  intent: 'unfinished record',
  intents: 'unfinished record',
  ticket: 'signed token',
  tickets: 'signed token',
  absorb: 'merge',
  absorbed: 'merge',
  asker: 'caller, principal',
  whoever: 'caller, principal',
  neighbour: 'stub',
  neighbours: 'stub',
  house: 'the project',
  drill: 'chaos test, kill test',
  drills: 'chaos test, kill test',
};

/** Names that contain such a word for a reason. */
const exceptions: Readonly<Record<string, string>> = {
  keepArtifacts: 'the API calls this operation "Keep artifacts"',
  ticketKey: 'the setting TICKET_KEY, which installations have',
  'ticket-key.ts': 'the setting TICKET_KEY, which installations have',
};

const files = ['apps', 'libs', 'tools'].flatMap((folder) => filesBelow(path.join(root, folder)));

describe('a name', () => {
  it('of a file or folder has the terms of the field', () => {
    const names = new Set(files.flatMap((file) => path.relative(root, file).split(path.sep)));
    expect(wrongOf(names)).toEqual([]);
  });

  it('of an exported symbol has the terms of the field', () => {
    const names = new Set(files.filter((file) => /\.(ts|mjs)$/.test(file)).flatMap(exportsOf));
    expect(names.size).toBeGreaterThan(1000);
    expect(wrongOf(names)).toEqual([]);
  });

  it.each(Object.keys(exceptions))('%s is an exception that is still needed', (name) => {
    const isThere = files.some((file) => path.basename(file) === name || exportsOf(file).includes(name));
    expect(isThere).toBe(true);
  });
});

const wrongOf = (names: ReadonlySet<string>): string[] =>
  [...names].filter((name) => !(name in exceptions)).flatMap((name) => explain(name) ?? []);

function explain(name: string): string | undefined {
  const word = wordsOf(name).find((one) => Object.hasOwn(instead, one));
  return word && `${name}: write "${instead[word]}" instead of "${word}"`;
}

const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase());

function exportsOf(file: string): string[] {
  const declared =
    /^export (?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return /\.(ts|mjs)$/.test(file) ? [...readFileSync(file, 'utf8').matchAll(declared)].map(([, name]) => name!) : [];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (!entry.isDirectory()) return [place];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(place);
  });
}
