import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Draft, list } from './draft';
import { storageFolder } from './manifest';

/** Everything of a repository except its objects: refs, HEAD, settings. */
interface Head {
  /** Distinguishes the repository from another one that replaces it. */
  inode: number;
  folders: { name: string; mode: number }[];
  files: { name: string; mode: number; bytes: Buffer }[];
}

interface Wanted {
  source: string;
  /** Its path in the backup. */
  at: string;
}

interface Read extends Wanted {
  head: Head;
}

/** Limit of repeated reads of a folder of packs that keeps changing. */
const mostReadings = 100;

/**
 * Copies repositories that are written to, repacked, moved and deleted meanwhile. In each repository, refs are read
 * before objects, so that the objects of refs are included; objects of an earlier round stay, so objects that
 * maintenance removes in between are included as well: it never removes objects younger than two weeks.
 *
 * Everything that a snapshot of the database refers to is included if one round ends before the snapshot, and another
 * one begins after it.
 */
export class RepositoryCopies {
  /** Repositories of the rounds so far, by path, with the files that are replaced together. */
  private readonly kept = new Map<string, string[]>();

  /** @param storages folders by name */
  constructor(
    private readonly draft: Draft,
    private readonly storages: ReadonlyMap<string, string>,
  ) {}

  /** Refs of all repositories first: later pushes are not included. */
  async round(): Promise<void> {
    for (const read of this.wanted().flatMap(readOne)) await this.keep(read);
  }

  private wanted(): Wanted[] {
    const here = [...this.storages].flatMap(([name, folder]) =>
      repositoriesIn(folder).map((below) => ({ source: path.join(folder, below), at: placeOf(name, below) })),
    );
    const places = new Set(here.map(({ at }) => at));
    return [...here, ...[...this.kept.keys()].filter((at) => !places.has(at)).flatMap((at) => this.movedTo(at))];
  }

  /** The database may still have its former place. */
  private movedTo(at: string): Wanted[] {
    const [, , ...below] = at.split('/');
    const found = [...this.storages.values()].map((folder) => path.join(folder, ...below));
    return found.filter((source) => inodeOf(source) !== undefined).map((source) => ({ source, at }));
  }

  private async keep({ source, at, head }: Read): Promise<void> {
    await this.keepObjects(path.join(source, 'objects'), `${at}/objects`);
    if (inodeOf(source) === head.inode) this.keepHead(at, head);
    else await this.keepMoved(at);
  }

  private keepHead(at: string, { folders, files }: Head): void {
    for (const old of this.kept.get(at)?.toReversed() ?? []) this.draft.remove(old);
    for (const { name, mode } of folders) this.draft.makeFolder(at + name, mode);
    for (const { name, mode, bytes } of files) this.draft.write(at + name, bytes, mode);
    // The first folder is the repository itself, with its objects.
    this.kept.set(at, [...folders.slice(1).map(({ name }) => `${at}${name}/`), ...files.map(({ name }) => at + name)]);
  }

  /** It was deleted during the copy. If it is nowhere else, the copy of an earlier round stays. */
  private async keepMoved(at: string): Promise<void> {
    const [moved] = this.movedTo(at).flatMap(readOne);
    if (moved) await this.keep(moved);
    else if (!this.kept.has(at)) this.draft.removeTree(at);
  }

  /**
   * Loose objects before packs, because objects move into packs and not back; repeated if packs were deleted meanwhile.
   */
  private async keepObjects(source: string, at: string): Promise<void> {
    const packs = path.join(source, 'pack');
    for (let reading = 0; reading < mostReadings; reading++) {
      const before = packsIn(packs);
      await this.draft.keepTree(source, at, { isWanted: isLoose, isNamedByContent: true });
      // Files in `info` are derived, and may refer to deleted packs.
      for (const folder of ['info', 'pack']) this.draft.makeFolder(`${at}/${folder}`);
      const isWhole = [...packsIn(packs)].map(([name, files]) => this.keepPack(packs, name, files, `${at}/pack`));
      const after = packsIn(packs);
      if (isWhole.every(Boolean) && [...before.keys()].every((name) => after.has(name))) return;
    }
    throw new Error(`${source} changes faster than it can be copied`);
  }

  /** @returns false if it was deleted meanwhile; then the copy contains no part of it */
  private keepPack(folder: string, name: string, files: readonly string[], at: string): boolean {
    for (const file of files) this.draft.keep(path.join(folder, file), `${at}/${file}`, true);
    const isWhole = ['pack', 'idx'].every((kind) => this.draft.has(`${at}/${name}.${kind}`));
    if (!isWhole) for (const file of files) this.draft.remove(`${at}/${file}`);
    return isWhole;
  }
}

/** Loose objects, and their folders. */
const isLoose = (name: string): boolean => /^[0-9a-f]{2}$|^[0-9a-f]{38,62}$/.test(name);

const placeOf = (storage: string, below: string): string => `${storageFolder}/${storage}/${below}`;

function readOne(wanted: Wanted): Read[] {
  const head = readHead(wanted.source);
  return head ? [{ ...wanted, head }] : [];
}

/** The folders of the repository service; its temporary ones are outside of `@hashed`. */
function repositoriesIn(storage: string): string[] {
  const below = (parent: string) => list(path.join(storage, parent)).map(({ name }) => `${parent}/${name}`);
  return below('@hashed')
    .flatMap(below)
    .flatMap(below)
    .filter((name) => name.endsWith('.git'));
}

/** Complete packs by name, with their files. */
function packsIn(folder: string): Map<string, string[]> {
  const packs = new Map<string, string[]>();
  for (const { name } of list(folder)) {
    const [, pack] = /^(pack-[0-9a-f]+)\.[a-z]+$/.exec(name) ?? [];
    if (pack) packs.set(pack, [...(packs.get(pack) ?? []), name]);
  }
  for (const [pack, files] of packs) {
    if (!files.includes(`${pack}.pack`) || !files.includes(`${pack}.idx`)) packs.delete(pack);
  }
  return packs;
}

const packedRefs = '/packed-refs';

/**
 * Loose refs before packed ones, even if there were none at first: a ref that is packed meanwhile is in one of both.
 * @returns undefined if it was deleted
 */
function readHead(repository: string): Head | undefined {
  const inode = inodeOf(repository);
  if (inode === undefined) return undefined;
  const head: Head = { inode, folders: [], files: [] };
  readInto(head, repository, '');
  readFileInto(head, repository, packedRefs);
  return head.files.some(({ name }) => name === '/HEAD') ? head : undefined;
}

function readInto(head: Head, repository: string, below: string): void {
  const folder = path.join(repository, below);
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  if (!facts?.isDirectory()) return;
  head.folders.push({ name: below, mode: facts.mode & 0o777 });
  const isLeftOut = (name: string) => name.endsWith('.lock') || ['/objects', packedRefs].includes(`${below}/${name}`);
  const entries = list(folder).filter(({ name }) => !isLeftOut(name));
  for (const { name } of entries.filter(({ isFolder }) => isFolder)) readInto(head, repository, `${below}/${name}`);
  for (const { name } of entries.filter(({ isFolder }) => !isFolder))
    readFileInto(head, repository, `${below}/${name}`);
}

/** Skips a file that was deleted, or replaced by a folder. */
function readFileInto(head: Head, repository: string, name: string): void {
  const file = path.join(repository, name);
  try {
    head.files.push({ name, mode: lstatSync(file).mode & 0o777, bytes: readFileSync(file) });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const inodeOf = (folder: string): number | undefined => lstatSync(folder, { throwIfNoEntry: false })?.ino;
