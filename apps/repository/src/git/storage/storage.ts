import { hash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textOf } from '../objects/file-text';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { filesBelow } from './files-below';

/** A project's code and its wiki are repositories of their own, side by side. */
export const repositoryKinds = ['code', 'wiki'] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/**
 * Settings of every repository. What git acknowledges is on disk (`core.fsync`); maintenance is a job of ours, never a
 * side effect of a push; ids of any object may be asked for, as CI clients do.
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
/** What git writes into a new one by itself. */
const FORMAT = { 'core.repositoryformatversion': '0', 'core.filemode': 'true' };

/**
 * The bare repositories of one storage:
 *
 *     <root>/@hashed/ab/cd/abcd….git        code, named by the SHA-256 of the project's id
 *     <root>/@hashed/ab/cd/abcd….wiki.git   wiki
 *     <root>/+new/<uuid>                    being made; renamed into place once whole
 *     <root>/+trash/<uuid>                  deleted, being removed
 */
export class RepositoryStorage {
  constructor(
    readonly name: string,
    readonly root: string,
    private readonly git: GitRunner,
  ) {}

  /** Where a project's repository is, or would be. */
  path(projectId: number | string, kind: RepositoryKind = 'code'): string {
    return join(this.root, this.relativePath(projectId, kind));
  }

  /** The same, below the folder of the storage. */
  relativePath(projectId: number | string, kind: RepositoryKind = 'code'): string {
    const name = hash('sha256', String(projectId));
    const suffix = kind === 'wiki' ? '.wiki.git' : '.git';
    return join('@hashed', name.slice(0, 2), name.slice(2, 4), name + suffix);
  }

  /** Makes an empty repository. @throws repository_exists, refname_invalid */
  async create(
    projectId: number | string,
    options: { kind?: RepositoryKind; defaultBranch?: string } = {},
  ): Promise<string> {
    const path = this.path(projectId, options.kind);
    if (await this.exists(path)) throw new GitError('repository_exists');
    const fresh = await this.createUnplaced(options.defaultBranch);
    return this.place(fresh, path);
  }

  /** Makes a repository that is at no project's place yet: fill it, then {@link place} it, or {@link remove} it. @throws disk_full */
  async createUnplaced(defaultBranch = 'main'): Promise<string> {
    if (!isBranchOrTagName(defaultBranch)) throw new GitError('refname_invalid');
    const fresh = join(this.root, '+new', randomUUID());
    try {
      // What git itself makes of `init --bare` without a template, and a process less.
      for (const folder of FOLDERS) await mkdir(join(fresh, folder), { recursive: true, mode: 0o750 });
      await writeFile(join(fresh, 'config'), settingsOf({ ...FORMAT, ...SETTINGS }), { flush: this.git.fsync });
      await writeFile(join(fresh, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`, { flush: this.git.fsync });
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw isCode(error, 'ENOSPC', 'EDQUOT') ? new GitError('disk_full', '', String(error)) : error;
    }
    return fresh;
  }

  /** An empty folder beside those that are being made; {@link remove} it. */
  async makeFolder(): Promise<string> {
    const fresh = join(this.root, '+new', randomUUID());
    await mkdir(fresh, { recursive: true, mode: 0o750 });
    return fresh;
  }

  /** Moves a made repository to its place in one step. @throws repository_exists when another was faster */
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

  /** Puts a made repository in the place of another, or of none: a moment between the two there is neither. */
  async replace(fresh: string, path: string): Promise<string> {
    const trash = await this.takeAway(path);
    await this.place(fresh, path);
    if (trash) await rm(trash, { recursive: true, force: true });
    return path;
  }

  /** Takes a repository away in one step, then removes its files; nothing happens when there is none. */
  async remove(path: string): Promise<void> {
    const trash = await this.takeAway(path);
    if (trash) await rm(trash, { recursive: true, force: true });
  }

  /** @returns where it is now; null where there was none */
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

  /** Removes what a killed process left half-made or half-removed. Call it before anything is made. */
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

  /** Bytes of all its files. */
  async sizeBytes(path: string): Promise<number> {
    return folderBytes(path);
  }

  /** The branch HEAD names, whether or not it exists yet; null when HEAD names a commit. @throws repository_not_found */
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

/** Bytes of all files below a folder; files that vanish meanwhile count nothing. */
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
