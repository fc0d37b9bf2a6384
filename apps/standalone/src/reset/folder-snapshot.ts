import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * A snapshot of a folder, to restore it. Files are hard-linked, not copied: writers create a new file and rename it, as
 * git and the object storage do.
 */
export class FolderSnapshot {
  /**
   * @param copy a new folder on the same disk
   * @param isOnlyAdded folders in it from which nothing has to be removed, since no reader lists them
   */
  constructor(
    private readonly folder: string,
    private readonly copy: string,
    private readonly isOnlyAdded: (folder: string) => boolean = () => false,
  ) {
    link(folder, copy);
  }

  /** Nothing may write to it meanwhile. */
  putBack(where = ''): void {
    const [here, there] = [path.join(this.folder, where), path.join(this.copy, where)];
    mkdirSync(here, { recursive: true });
    const kept = readdirSync(there, { withFileTypes: true });
    const names = new Set(kept.map(({ name }) => name));
    if (!this.isOnlyAdded(where)) {
      for (const name of readdirSync(here))
        if (!names.has(name)) rmSync(path.join(here, name), { recursive: true, force: true });
    }
    for (const entry of kept) {
      if (entry.isDirectory()) this.putBack(path.join(where, entry.name));
      else putBackFile(path.join(there, entry.name), path.join(here, entry.name));
    }
  }
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  if (!existsSync(from)) return;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else if (entry.isFile()) linkSync(source, target);
  }
}

function putBackFile(kept: string, file: string): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.ino === statSync(kept).ino) return;
  if (there) rmSync(file, { recursive: true });
  linkSync(kept, file);
}
