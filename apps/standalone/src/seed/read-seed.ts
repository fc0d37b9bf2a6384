import { readFileSync, statSync } from 'node:fs';
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { StartError } from '../data-folder/start-error';
import { type Seed, seedSchema } from './seed-schema';

/** A seed, and the line of each of its values in its file. */
export interface SeedFile {
  seed: Seed;
  /** `seed.yaml:12` for `['projects', 0, 'path']`, or for its nearest parent. */
  locate(path: readonly PropertyKey[]): string;
}

const maxBytes = 64 * 1024 * 1024;
const maxAliasCount = 100;

/** @throws StartError that names every wrong line */
export function readSeed(file: string): SeedFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const [broken] = document.errors;
  if (broken) throw new StartError(`${at(broken.pos[0])}: ${broken.message}`);
  const locate = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const offset = startOf(document.contents, path.slice(0, length));
      if (offset !== undefined) return at(offset);
    }
    return at(0);
  };
  const read = seedSchema.safeParse(valuesOf(() => document.toJS({ maxAliasCount }) ?? {}, file));
  if (read.success) return { seed: read.data, locate };
  const wrong = read.error.issues.flatMap((issue) => {
    // An unknown key has a line of its own.
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => `${locate(path)}: ${path.join('.') || 'the file'}: ${explain(issue)}`);
  });
  throw new StartError(wrong.join('\n'));
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 ** 2} MB`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The seed ${file} cannot be read: ${(error as Error).message}`);
  }
}

function valuesOf<T>(read: () => T, file: string): T {
  try {
    return read();
  } catch (error) {
    throw new StartError(`${file}: ${(error as Error).message}`);
  }
}

const explain = ({ code, message }: { code?: string | undefined; message: string }): string =>
  code === 'unrecognized_keys' ? 'there is no such field' : message;

/** The key of a pair: the value of a block begins on the next line. */
function startOf(node: Node | null, path: readonly PropertyKey[]): number | undefined {
  let at: unknown = node;
  let start: number | undefined;
  for (const key of path) {
    if (isMap(at)) {
      const pair = at.items.find((one) => isScalar(one.key) && String(one.key.value) === String(key));
      if (!pair) return undefined;
      start = (pair.key as Node).range?.[0];
      at = pair.value;
    } else {
      const item: unknown = (at as { items?: unknown[] } | undefined)?.items?.[Number(key)];
      if (!item) return undefined;
      start = (item as Node).range?.[0];
      at = item;
    }
  }
  return start;
}
