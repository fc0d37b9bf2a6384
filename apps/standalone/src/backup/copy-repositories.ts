import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Draft, list } from './draft';
import { storageFolder } from './manifest';

/** All of a repository but its objects: refs, HEAD, settings. */
interface Head {
  /** Distinguishes the repository from another that replaces it. */
  inode: number;
  folders: { name: string; mode: number }[];
  files: { name: string; mode: number; bytes: Buffer }[];
}

interface Wanted {
  source: string;
  /** Its place in the backup. */
  at: string;
}

interface Read extends Wanted {
  head: Head;
}

/** Each reading of a folder of packs found others: nothing repacks that often. */
const mostReadings = 100;

/**
 * Copies repositories that are written to, repacked, moved and removed meanwhile. In each, refs are read before objects, so
 * that what they name is there; objects of an earlier round stay, so that what maintenance removes in between is
 * there as well: it spares what is younger than two weeks.
 *
 * What the database of some moment refers to is in it when one round ends before that moment, and another begins after.
 */
export class RepositoryCopies {
  /** Repositories of the rounds so far, by their place; with the files that are to be replaced together. */
  private readonly kept = new Map<string, string[]>();

  /** @param storages folders by name */
  constructor(
    private readonly draft: Draft,
    private readonly storages: ReadonlyMap<string, string>,
  ) {}

  /** Refs of all repositories come first: what is pushed from then on is not in it. */
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

  /** The database may say still that it is where it was. */
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
    // The first folder is the repository's own, which has its objects.
    this.kept.set(at, [...folders.slice(1).map(({ name }) => `${at}${name}/`), ...files.map(({ name }) => at + name)]);
  }

  /** It went while it was copied. Where it is nowhere else, what an earlier round had of it stays as it was. */
  private async keepMoved(at: string): Promise<void> {
    const [moved] = this.movedTo(at).flatMap(readOne);
    if (moved) await this.keep(moved);
    else if (!this.kept.has(at)) this.draft.removeTree(at);
  }

  /** Loose objects before packs, as they go into packs and not the other way, and again where packs went meanwhile. */
  private async keepObjects(source: string, at: string): Promise<void> {
    const packs = path.join(source, 'pack');
    for (let reading = 0; reading < mostReadings; reading++) {
      const before = packsIn(packs);
      await this.draft.keepTree(source, at, { isWanted: isLoose, isNamedByContent: true });
      // What lies in `info` follows from the rest, and may name what is not there any more.
      for (const folder of ['info', 'pack']) this.draft.makeFolder(`${at}/${folder}`);
      const isWhole = [...packsIn(packs)].map(([name, files]) => this.keepPack(packs, name, files, `${at}/pack`));
      const after = packsIn(packs);
      if (isWhole.every(Boolean) && [...before.keys()].every((name) => after.has(name))) return;
    }
    throw new Error(`${source} changes faster than it can be copied`);
  }

  /** @returns false where it went meanwhile; then nothing of it is in the copy */
  private keepPack(folder: string, name: string, files: readonly string[], at: string): boolean {
    for (const file of files) this.draft.keep(path.join(folder, file), `${at}/${file}`, true);
    const isWhole = ['pack', 'idx'].every((kind) => this.draft.has(`${at}/${name}.${kind}`));
    if (!isWhole) for (const file of files) this.draft.remove(`${at}/${file}`);
    return isWhole;
  }
}

/** Loose objects, and the folders that they are in. */
const isLoose = (name: string): boolean => /^[0-9a-f]{2}$|^[0-9a-f]{38,62}$/.test(name);

const placeOf = (storage: string, below: string): string => `${storageFolder}/${storage}/${below}`;

function readOne(wanted: Wanted): Read[] {
  const head = readHead(wanted.source);
  return head ? [{ ...wanted, head }] : [];
}

/** The folders of the repository service; its temporary ones are beside `@hashed`. */
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
 * Loose refs before packed ones, also where there were none of these at first: a ref that is packed meanwhile is in either.
 * @returns undefined where it is gone
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

/** Nothing where it has gone, or there is a folder of that name now. */
function readFileInto(head: Head, repository: string, name: string): void {
  const file = path.join(repository, name);
  try {
    head.files.push({ name, mode: lstatSync(file).mode & 0o777, bytes: readFileSync(file) });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const inodeOf = (folder: string): number | undefined => lstatSync(folder, { throwIfNoEntry: false })?.ino;
