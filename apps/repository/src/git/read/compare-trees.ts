import { TooFar } from '../history/commit-steps';
import { type ObjectReader, SMALL_OBJECT_BYTES } from '../objects/object-reader';
import { readEntries, type TreeEntry } from '../objects/parse-tree';
import { GitError } from '../process/errors';

/** Paths by kind of change, each list sorted by bytes. A rename is a removal and an addition. */
export interface ChangedFiles {
  added: string[];
  modified: string[];
  removed: string[];
}

/** Limits of a comparison; beyond them a git process is faster. Each comparison subtracts what it has used. */
export interface CompareLimits {
  trees: number;
  files: number;
  /** Of all paths together: names of files may be long. */
  characters: number;
}

/** Compares trees as `git diff-tree -r --no-renames` does. It reads only the folders that differ. */
export class TreeComparer {
  constructor(private readonly objects: ObjectReader) {}

  /** @param before, after ids of trees; null for none. @throws TooFar, also if an object is missing or large */
  async compare(
    repository: string,
    { before, after }: { before: string | null; after: string | null },
    limits: CompareLimits,
  ): Promise<ChangedFiles> {
    const files = noChanges();
    const visit = async (old: string | null, current: string | null, folder: string): Promise<void> => {
      if (old === current) return;
      const gone = await this.entries(repository, old, limits);
      for (const [key, entry] of await this.entries(repository, current, limits)) {
        const previous = gone.get(key);
        gone.delete(key);
        if (previous?.id === entry.id && previous.mode === entry.mode) continue;
        const path = folder + entry.name;
        if (entry.type === 'tree') await visit(previous?.id ?? null, entry.id, `${path}/`);
        else note(previous ? files.modified : files.added, path, limits);
      }
      for (const { type, id, name } of gone.values()) {
        if (type === 'tree') await visit(id, null, `${folder}${name}/`);
        else note(files.removed, folder + name, limits);
      }
    };
    await visit(before, after, '');
    for (const list of Object.values(files)) list.sort(byBytes);
    return files;
  }

  /** Entries by the bytes of their names. A folder and a file of the same name are two entries. */
  private async entries(
    repository: string,
    treeId: string | null,
    limits: CompareLimits,
  ): Promise<Map<string, TreeEntry>> {
    if (treeId === null) return new Map();
    if (--limits.trees < 0) throw new TooFar();
    const object = await this.objects.read(repository, treeId, SMALL_OBJECT_BYTES).catch((error) => {
      throw error instanceof GitError && error.reason === 'object_too_large' ? new TooFar() : error;
    });
    if (object?.type !== 'tree') throw new TooFar();
    return new Map([...readEntries(object.content)].map((entry) => [keyOf(entry), entry]));
  }
}

export const noChanges = (): ChangedFiles => ({ added: [], modified: [], removed: [] });

function keyOf({ name, rawName, type }: TreeEntry): string {
  return (rawName ?? Buffer.from(name)).toString('latin1') + (type === 'tree' ? '/' : '');
}

function note(list: string[], path: string, limits: CompareLimits): void {
  limits.characters -= path.length;
  if (--limits.files < 0 || limits.characters < 0) throw new TooFar();
  list.push(path);
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
