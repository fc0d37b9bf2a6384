import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { getBundle, getRefs, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { Injectable } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import type { RepositoryKind } from '../git/storage/storage';
import { ALL_REFS, CODE_REFS, type RefSnapshot } from '../git/transport/copy';
import { type Located, type RepositoryLocation, Storages } from '../storage/storages';

/** Copies objects and refs from a repository that may be on a storage of another process. */
@Injectable()
export class RepositoryCopies {
  constructor(
    private readonly storages: Storages,
    private readonly client: OperationClient,
  ) {}

  /** Creates a repository with the branches and tags of another. @throws repository_exists, repository_not_found */
  async fork(source: RepositoryLocation, target: RepositoryLocation): Promise<void> {
    const { engine, path } = this.storages.locate(target);
    if (source.storage === target.storage) return engine.copies.fork(engine.storage.path(source.id), path);
    if (await engine.storage.exists(path)) throw new GitError('repository_exists');
    const { head } = await this.refs(source, 'code');
    const fresh = await engine.storage.createUnplaced(head ?? undefined);
    try {
      await this.fetchBundle({ engine, path: fresh }, source, 'code', CODE_REFS);
      await engine.storage.place(fresh, path);
    } catch (error) {
      await engine.storage.remove(fresh);
      throw error;
    }
  }

  /** All refs of a repository. `exists` is false if there is no repository. */
  async refs(source: RepositoryLocation, kind: RepositoryKind): Promise<RefSnapshot & { exists: boolean }> {
    return this.client.call(getRefs, { project_id: source.id, kind }, { project: projectAt(source) });
  }

  /** Copies everything that is missing here, and all refs that the source had at the start. */
  async bringAll(target: Located, source: RepositoryLocation, kind: RepositoryKind): Promise<void> {
    if (this.storages.names.includes(source.storage)) {
      await target.engine.copies.fetch(target.path, this.storages.locate(source, kind).path, ALL_REFS);
    } else {
      await this.fetchBundle(target, source, kind, ALL_REFS);
    }
  }

  /**
   * Copies the commits of one branch, so that its head can be read here. @returns its head, null if there is no such
   * branch
   */
  bringBranch(target: Located, source: RepositoryLocation, branch: string): Promise<string | null> {
    return this.bringRef(target, source, [`refs/heads/${branch}`]);
  }

  /** The same for a branch, a tag, or a commit. @returns the id of the object, or null */
  bringRevision(target: Located, source: RepositoryLocation, revision: string): Promise<string | null> {
    return this.bringRef(target, source, [`refs/heads/${revision}`, `refs/tags/${revision}`], revision);
  }

  private async bringRef(
    target: Located,
    source: RepositoryLocation,
    names: string[],
    id?: string,
  ): Promise<string | null> {
    const { engine, path } = target;
    const { refs } = await this.refs(source, 'code');
    const found =
      names.flatMap((name) => refs.filter((ref) => ref.name === name)).at(0) ??
      refs.find((ref) => ref.id === id && /^refs\/(heads|tags)\//.test(ref.name));
    if (!found) return null;
    if (await engine.objects.info(path, found.id)) return found.id;
    const kept = `refs/merge-sources/${source.id}`;
    const refspecs = [`+${found.name}:${kept}`];
    if (this.storages.names.includes(source.storage)) {
      await engine.copies.fetch(path, this.storages.locate(source).path, refspecs);
    } else {
      await this.fetchBundle(target, source, 'code', refspecs);
    }
    // The branch may have moved since it was read.
    return (await engine.objects.readRef(path, kept))?.id ?? null;
  }

  private async fetchBundle(
    target: Located,
    source: RepositoryLocation,
    kind: RepositoryKind,
    refs: string[],
  ): Promise<void> {
    const { engine, path } = target;
    const has = (await engine.copies.snapshot(path)).refs.map(({ id }) => id);
    const { url } = await this.client.call(
      getBundle,
      { project_id: source.id, kind, has: [...new Set(has)] },
      { project: projectAt(source) },
    );
    const response = await fetch(url);
    if (response.status === 204) return;
    if (!response.ok || !response.body) throw new GitError('git_failed', '', `bundle: status ${response.status}`);
    const folder = temporaryFolder('bundle');
    try {
      const file = join(folder, 'all.bundle');
      await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file, { mode: 0o600 }));
      await engine.copies.fetch(path, file, refs);
    } finally {
      await removeTemporaryFolder(folder);
    }
  }
}

/** These operations only use the storage of the context's project, which selects the process. */
const projectAt = ({ id, storage }: RepositoryLocation): ProjectRef => ({ id, storage }) as ProjectRef;
