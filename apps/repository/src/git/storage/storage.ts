import { hash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textOf } from '../objects/file-text';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { filesBelow } from './files-below';

/** A project's code and its wiki are separate repositories, side by side. */
export const repositoryKinds = ['code', 'wiki'] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/**
 * Settings of every repository. Acknowledged writes are on disk (`core.fsync`); maintenance is a job and never a side
 * effect of a push; clients may request any object by id, as CI clients do.
 */
const SETTINGS: Record<string, string> = {
  'core.bare': 'true',
  'core.logAllRefUpdates': 'false',
  'core.fsync': 'committed,loose-object,reference',
  'core.fsyncMethod': 'batch',
  'gc.auto': '0',
  'receive.autogc': 'false',
  'receive.fsckObjects': 'true',
  'receive.advertisePushOptions': 'true',
  'transfer.advertiseSID': 'false',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'repack.writeBitmaps': 'true',
  'repack.useDeltaBaseOffset': 'true',
  'pack.writeReverseIndex': 'true',
};

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];
/** The settings that git writes into a new repository itself. */
const FORMAT = { 'core.repositoryformatversion': '0', 'core.filemode': 'true' };

/**
 * The bare repositories of one storage:
 *
 *     <root>/@hashed/ab/cd/abcd….git        code, named by the SHA-256 of the project id
 *     <root>/@hashed/ab/cd/abcd….wiki.git   wiki
 *     <root>/+new/<uuid>                    new ones; renamed when they are complete
 *     <root>/+trash/<uuid>                  deleted ones, until their files are removed
 */
export class RepositoryStorage {
  constructor(
    readonly name: string,
    readonly root: string,
    private readonly git: GitRunner,
  ) {}

  /** The path of a project's repository, which may not exist. */
  path(projectId: number | string, kind: RepositoryKind = 'code'): string {
    return join(this.root, this.relativePath(projectId, kind));
  }

  /** The same, relative to the folder of the storage. */
  relativePath(projectId: number | string, kind: RepositoryKind = 'code'): string {
    const name = hash('sha256', String(projectId));
    const suffix = kind === 'wiki' ? '.wiki.git' : '.git';
    return join('@hashed', name.slice(0, 2), name.slice(2, 4), name + suffix);
  }

  /** Creates an empty repository. @throws repository_exists, refname_invalid */
  async create(
    projectId: number | string,
    options: { kind?: RepositoryKind; defaultBranch?: string } = {},
  ): Promise<string> {
    const path = this.path(projectId, options.kind);
    if (await this.exists(path)) throw new GitError('repository_exists');
    const fresh = await this.createUnplaced(options.defaultBranch);
    return this.place(fresh, path);
  }

  /**
   * Creates a repository outside of any project's place: fill it, then {@link place} it, or {@link remove} it. @throws
   * disk_full
   */
  async createUnplaced(defaultBranch = 'main'): Promise<string> {
    if (!isBranchOrTagName(defaultBranch)) throw new GitError('refname_invalid');
    const fresh = join(this.root, '+new', randomUUID());
    try {
      // The same result as `git init --bare` without a template, without a process.
      for (const folder of FOLDERS) await mkdir(join(fresh, folder), { recursive: true, mode: 0o750 });
      await writeFile(join(fresh, 'config'), settingsOf({ ...FORMAT, ...SETTINGS }), { flush: this.git.fsync });
      await writeFile(join(fresh, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`, { flush: this.git.fsync });
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw isCode(error, 'ENOSPC', 'EDQUOT') ? new GitError('disk_full', '', String(error)) : error;
    }
    return fresh;
  }

  /** An empty folder beside those of new repositories; {@link remove} it. */
  async makeFolder(): Promise<string> {
    const fresh = join(this.root, '+new', randomUUID());
    await mkdir(fresh, { recursive: true, mode: 0o750 });
    return fresh;
  }

  /** Moves a new repository to its place in one step. @throws repository_exists if one exists by now */
  async place(fresh: string, path: string): Promise<string> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o750 });
      await rename(fresh, path);
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      if (isCode(error, 'ENOTEMPTY', 'EEXIST')) throw new GitError('repository_exists');
      throw isCode(error, 'ENOSPC', 'EDQUOT') ? new GitError('disk_full', '', String(error)) : error;
    }
    return path;
  }

  /** Replaces a repository, if there is one, with a new one: for a moment in between there is neither. */
  async replace(fresh: string, path: string): Promise<string> {
    const trash = await this.takeAway(path);
    await this.place(fresh, path);
    if (trash) await rm(trash, { recursive: true, force: true });
    return path;
  }

  /** Removes a repository from its place in one step, then deletes its files; does nothing if there is none. */
  async remove(path: string): Promise<void> {
    const trash = await this.takeAway(path);
    if (trash) await rm(trash, { recursive: true, force: true });
  }

  /** @returns its new path; null if there was none */
  private async takeAway(path: string): Promise<string | null> {
    const trash = join(this.root, '+trash', randomUUID());
    await mkdir(dirname(trash), { recursive: true, mode: 0o750 });
    try {
      await rename(path, trash);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
    return trash;
  }

  /** Deletes incomplete repositories of a killed process. Call it before any other operation. */
  async removeLeftovers(): Promise<void> {
    for (const folder of ['+new', '+trash']) await rm(join(this.root, folder), { recursive: true, force: true });
  }

  async exists(path: string): Promise<boolean> {
    return stat(join(path, 'HEAD')).then(
      () => true,
      (error) => {
        if (isCode(error, 'ENOENT', 'ENOTDIR')) return false;
        throw error;
      },
    );
  }

  /** Size of all its files in bytes. */
  async sizeBytes(path: string): Promise<number> {
    return folderBytes(path);
  }

  /** The branch of HEAD, whether or not it exists; null if HEAD is a commit. @throws repository_not_found */
  async defaultBranch(path: string): Promise<string | null> {
    const head = textOf(join(path, 'HEAD'));
    if (head === null) throw new GitError('repository_not_found');
    return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1] ?? null;
  }

  /** @throws refname_invalid */
  async setDefaultBranch(path: string, branch: string): Promise<void> {
    if (!isBranchOrTagName(branch)) throw new GitError('refname_invalid');
    await this.git.run(path, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  }
}

/** Size of all files below a folder in bytes; files that vanish meanwhile are not counted. */
export async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  for await (const file of filesBelow(folder)) {
    total += await stat(file).then(
      (info) => info.size,
      () => 0,
    );
  }
  return total;
}

function settingsOf(values: Record<string, string>): string {
  const lines = Object.entries(values).map(([key, value]) => {
    const dot = key.indexOf('.');
    return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${value}\n`;
  });
  return lines.join('');
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
