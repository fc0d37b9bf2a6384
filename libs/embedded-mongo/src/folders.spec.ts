import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folders that each folder imports from; a file beside them counts as a folder. */
function readArrows(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
    const text = readFileSync(path.join(__dirname, file), 'utf8');
    const targets = [...text.matchAll(/\bfrom '(\.[^']*)'/g)].map(([, to]) => path.join(path.dirname(file), to!));
    const known = arrows.get(folderOf(file)) ?? new Set();
    for (const target of targets)
      known.add(folderOf(files.includes(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`));
    known.delete(folderOf(file));
    arrows.set(folderOf(file), known);
  }
  return arrows;
}

const folderOf = (file: string): string => (file.includes('/') ? path.dirname(file) : file);

/** @returns every folder from which imports lead back to it, with the way */
function findCircles(arrows: Map<string, Set<string>>): string[] {
  const wayBack = (start: string, at: string, seen: Set<string>): string | undefined => {
    for (const next of arrows.get(at) ?? []) {
      if (next === start) return start;
      if (seen.has(next)) continue;
      const rest = wayBack(start, next, seen.add(next));
      if (rest) return `${next} -> ${rest}`;
    }
    return undefined;
  };
  return [...arrows.keys()].flatMap((folder) => {
    const way = wayBack(folder, folder, new Set());
    return way ? [`${folder} -> ${way}`] : [];
  });
}

it('folders import each other in one direction', () => {
  const arrows = readArrows();
  expect(arrows.get('command')).toContain('engine');
  expect(findCircles(arrows)).toEqual([]);
});

it('would name a circle', () => {
  const arrows = new Map([
    ['a', new Set(['b', 'd'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
  ]);
  expect(findCircles(arrows)[0]).toBe('a -> b -> c -> a');
});
