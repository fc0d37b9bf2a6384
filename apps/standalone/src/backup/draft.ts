import { createHash } from 'node:crypto';
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { copyFile, readThrough } from './copy-file';
import { type Entry, listFile, readEntries } from './manifest';

/** Options for copying a folder. */
interface Tree {
  isWanted?: (name: string) => boolean;
  isNamedByContent?: boolean | undefined;
}

/** A backup in progress. A file that changes meanwhile is copied again by the next call. */
export class Draft {
  private readonly entries = new Map<string, Entry>();
  /** Bytes that were not in the previous backup. */
  newBytes = 0;

  private constructor(
    readonly folder: string,
    private readonly previous: { folder: string; entries: ReadonlyMap<string, Entry> } | undefined,
  ) {}

  /** @param previous a complete backup, whose unchanged files are linked */
  static async begin(folder: string, previous: string | undefined): Promise<Draft> {
    mkdirSync(folder, { mode: 0o700 });
    if (previous === undefined) return new Draft(folder, undefined);
    const entries = new Map<string, Entry>();
    for await (const entry of readEntries(previous)) entries.set(entry.path, entry);
    return new Draft(folder, { folder: previous, entries });
  }

  get files(): number {
    return [...this.entries.values()].filter(({ size }) => size !== undefined).length;
  }

  get bytes(): number {
    return [...this.entries.values()].reduce((sum, { size = 0 }) => sum + size, 0);
  }

  /** Absolute path of an entry in the draft. */
  place(at: string): string {
    return path.join(this.folder, at);
  }

  /** A temporary path for a copy. */
  private get fresh(): string {
    return this.place('.fresh');
  }

  makeFolder(at: string, mode = 0o700): void {
    const name = `${at}/`;
    if (this.entries.has(name)) return;
    mkdirSync(this.place(at), { recursive: true, mode: 0o700 });
    this.entries.set(name, { path: name, mode });
  }

  /**
   * Copies a file unless the copy is current, and replaces an older copy.
   * @param isNamedByContent ignores its time, which git updates when it writes an existing object
   * @returns false if it was deleted; an earlier copy stays
   */
  keep(source: string, at: string, isNamedByContent = false): boolean {
    const facts = lstatSync(source, { bigint: true, throwIfNoEntry: false });
    if (!facts) return false;
    if (!facts.isFile()) return true;
    const stamp = `${facts.ino} ${facts.size} ${isNamedByContent ? '' : facts.mtimeNs}`;
    if (this.entries.get(at)?.stamp === stamp) return true;
    const made = this.link(at, stamp) ?? this.copy(source, at, stamp, Number(facts.mode & 0o777n));
    if (!made) return false;
    renameSync(this.fresh, this.place(at));
    this.entries.set(at, made);
    return true;
  }

  private link(at: string, stamp: string): Entry | undefined {
    const before = this.previous?.entries.get(at);
    if (!this.previous || before?.stamp !== stamp) return undefined;
    try {
      linkSync(path.join(this.previous.folder, at), this.fresh);
      return before;
    } catch {
      // File systems without hard links, or at their limit of links.
      return undefined;
    }
  }

  private copy(source: string, at: string, stamp: string, mode: number): Entry | undefined {
    const copied = copyFile(source, this.fresh, 0o600);
    if (!copied) return undefined;
    this.newBytes += copied.size;
    return { path: at, mode, ...copied, stamp };
  }

  /** Copies all files of a folder at any depth; files that are deleted meanwhile are left out. */
  async keepTree(source: string, at: string, { isWanted = () => true, isNamedByContent }: Tree = {}): Promise<void> {
    await breathe();
    const facts = lstatSync(source, { throwIfNoEntry: false });
    if (!facts?.isDirectory()) return;
    this.makeFolder(at, facts.mode & 0o777);
    for (const { name, isFolder } of list(source)) {
      if (!isWanted(name)) continue;
      const [from, to] = [path.join(source, name), `${at}/${name}`];
      if (isFolder) await this.keepTree(from, to, { isWanted, isNamedByContent });
      else this.keep(from, to, isNamedByContent);
    }
  }

  /** Writes a file, replacing an existing one. */
  write(at: string, bytes: Buffer, mode: number): void {
    this.remove(at);
    writeFileSync(this.place(at), bytes, { flag: 'wx', mode: 0o600 });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.newBytes += bytes.length;
    this.entries.set(at, { path: at, mode, size: bytes.length, sha256 });
  }

  /** Registers a file that was written in place. */
  seal(at: string): void {
    const read = readThrough(this.place(at));
    this.newBytes += read.size;
    this.entries.set(at, { path: at, mode: 0o600, ...read });
  }

  /** @param at a file, or a folder with a trailing `/` of which nothing else is stored */
  remove(at: string): void {
    if (this.entries.delete(at)) rmSync(this.place(at), { recursive: true, force: true });
  }

  removeTree(at: string): void {
    for (const name of this.entries.keys()) if (name.startsWith(`${at}/`)) this.entries.delete(name);
    rmSync(this.place(at), { recursive: true, force: true });
  }

  has(at: string): boolean {
    return this.entries.has(at);
  }

  /** @returns the checksum of the list of all files */
  writeList(): string {
    const file = this.place(listFile);
    const handle = openSync(file, 'wx', 0o600);
    try {
      // Folders come before their content: a path sorts before longer paths with it as prefix.
      for (const name of [...this.entries.keys()].sort())
        writeSync(handle, `${JSON.stringify(this.entries.get(name))}\n`);
    } finally {
      closeSync(handle);
    }
    return readThrough(file).sha256;
  }
}

/** The content of a folder; empty if it was deleted. */
export function list(folder: string): { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
