import type { ContractRecord } from './record';
import type { Shape } from './shape';

type Answer = [kind: string, shape?: string];

/** Which side of a contract the previous version may be on. */
type Side = 'input' | 'output' | 'event';

/**
 * What breaks a process of the previous version beside one of the next: its requests, and the answers and events that
 * it reads.
 * @returns one line for each
 */
export function findBreaks(before: ContractRecord, after: ContractRecord): string[] {
  const operations = Object.entries(before.operations).flatMap(([name, old]) => {
    const now = after.operations[name];
    if (!now) return [`${name}: the operation is gone`];
    const routes = (old.routes ?? []).filter((route) => !now.routes?.includes(route));
    const [[oldKind, oldShape], [kind, shape]] = [old, now].map(({ output }) => output.split(' ')) as [Answer, Answer];
    return [
      ...routes.map((route) => `${name}: ${route} is gone`),
      ...(old.isByStorage === now.isByStorage ? [] : [`${name}: its subject is another`]),
      ...(oldKind === kind ? [] : [`${name}: its answer is no ${oldKind} now, but ${kind}`]),
      ...compare(before.shapes[old.input], after.shapes[now.input], 'input').map((line) => `${name} input ${line}`),
      ...compare(before.shapes[oldShape ?? ''], after.shapes[shape ?? ''], 'output').map(
        (line) => `${name} output ${line}`,
      ),
    ];
  });
  const events = Object.entries(before.events).flatMap(([name, old]) => {
    const now = after.events[name];
    if (!now) return [`${name}: the event is gone`];
    return compare(before.shapes[old], after.shapes[now], 'event').map((line) => `${name} event ${line}`);
  });
  return [...operations, ...events];
}

function compare(before: Shape = {}, after: Shape = {}, side: Side): string[] {
  const known = Object.entries(before).flatMap(([path, old]) => {
    const now = after[path];
    return now === undefined ? [`${path}: it is gone`] : changes(old, now, side).map((line) => `${path}: ${line}`);
  });
  if (side === 'output') return known;
  // Older callers omit it.
  const asked = Object.entries(after).filter(([path, now]) => !(path in before) && now.endsWith('!'));
  const isNew = (path: string) =>
    !asked.some(([other]) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`));
  // Below a new optional field nothing is required of old callers.
  const optional = Object.entries(after).filter(([path, now]) => !(path in before) && !now.endsWith('!'));
  const isBelowOptional = (path: string) =>
    optional.some(([other]) => path.startsWith(`${other}.`) || path.startsWith(`${other}[`));
  return [
    ...known,
    ...asked
      .filter(([path]) => isNew(path) && !isBelowOptional(path))
      .map(([path]) => `${path}: it is new and asked for`),
  ];
}

function changes(before: string, after: string, side: Side): string[] {
  const [old, now] = [read(before), read(after)];
  const lost = now.types.has('any') ? [] : [...old.types].filter((type) => !covers(now.types, type));
  const added = old.types.has('any') ? [] : [...now.types].filter((type) => !covers(old.types, type));
  // An additional value of an enumeration is growth: a reader that does not know it passes it on.
  const strange = added.filter((type) => !type.startsWith('='));
  return [
    ...(side === 'output' ? [] : lost.map((type) => `${type} is taken no more`)),
    ...(side === 'input' ? [] : strange.map((type) => `it may be ${type} now`)),
    ...(side === 'output' || old.isRequired || !now.isRequired ? [] : ['it has to be there now']),
    ...(side === 'input' || !old.isRequired || now.isRequired ? [] : ['it may be missing now']),
  ];
}

/** `string` covers every value of an enumeration of strings. */
function covers(types: ReadonlySet<string>, type: string): boolean {
  if (types.has(type) || types.has('any')) return true;
  if (type === 'integer') return types.has('number');
  return type.startsWith('="') && types.has('string');
}

const read = (types: string) => ({
  isRequired: types.endsWith('!'),
  types: new Set(types.replace(/!$/, '').split('|')),
});
