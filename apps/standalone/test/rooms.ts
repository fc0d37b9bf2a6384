import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Imports between the folders of an app. Each folder with files is a room: `a/b` is a different one from `a`, and files
 * at the root of the sources are the room `.`, which starts the others.
 */
export type Arrows = Map<string, Map<string, string[]>>;

export function readArrows(sources: string): Arrows {
  const arrows: Arrows = new Map();
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  for (const file of files) {
    const room = roomOf(file);
    const known = arrows.get(room) ?? new Map<string, string[]>();
    arrows.set(room, known);
    for (const target of readImports(path.join(sources, file), path.dirname(file))) {
      const to =
        files.includes(`${target}.ts`) || files.includes(`${target}.tsx`) ? roomOf(target) : path.normalize(target);
      // Tests beside the code use helpers of the app's tests.
      if (to !== room && !to.startsWith('..')) known.set(to, [...(known.get(to) ?? []), `${file} imports ${target}`]);
    }
  }
  return arrows;
}

const roomOf = (file: string): string => path.dirname(file);

/** @returns imports of a file from its own app, including types, as paths below the sources */
function readImports(file: string, folder: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/(?:\bfrom |\bimport\(|^import )'(\.[^']*)'/gm);
  return [...imports].map(([, to]) => path.join(folder, to!));
}

/** @returns imports that are part of a cycle, each with the shortest cycle and the import statements */
export function findArrowsBack(arrows: Arrows): string[] {
  return [...arrows].flatMap(([room, targets]) =>
    [...targets].flatMap(([target, imports]) => {
      const back = findWay(arrows, target, room);
      return back ? [`${[room, ...back].join(' -> ')}\n    ${imports.join('\n    ')}`] : [];
    }),
  );
}

/** @returns the rooms of the shortest path, including both ends */
function findWay(arrows: Arrows, from: string, to: string): string[] | undefined {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1)!;
    if (last === to) return way;
    for (const next of arrows.get(last)?.keys() ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** @returns imports that do not lead to a lower line of the drawing, and rooms that are missing on one side */
export function compareWithDrawing(arrows: Arrows, drawing: string[][]): string[] {
  const lines = new Map(drawing.flatMap((rooms, line) => rooms.map((room) => [room, line] as const)));
  const rooms = [...arrows.keys()].filter((room) => room !== '.');
  return [
    ...rooms.filter((room) => !lines.has(room)).map((room) => `${room} is not drawn`),
    ...[...lines.keys()].filter((room) => !arrows.has(room)).map((room) => `${room} is drawn and is no folder`),
    ...rooms.flatMap((room) =>
      [...arrows.get(room)!]
        .filter(([target]) => !(lines.get(room)! < lines.get(target)!))
        .map(([target, imports]) => `${room} is not drawn above ${target}\n    ${imports.join('\n    ')}`),
    ),
  ];
}

/** @returns the lines to draw: each room above all that it imports from, as low as possible */
export function drawRooms(arrows: Arrows): string[] {
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    // A room in progress counts as lowest, so that cycles end.
    heights.set(room, 0);
    const height = Math.max(-1, ...[...(arrows.get(room)?.keys() ?? [])].map(heightOf)) + 1;
    heights.set(room, height);
    return height;
  };
  const rooms = [...arrows.keys()].filter((name) => name !== '.').sort();
  const lines: string[][] = Array.from({ length: Math.max(...rooms.map(heightOf)) + 1 }, () => []);
  for (const room of rooms) lines[heightOf(room)]!.push(room);
  return lines.reverse().map((line) => line.join('  '));
}
