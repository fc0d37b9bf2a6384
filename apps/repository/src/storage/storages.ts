import path from 'node:path';
import { commonErrors, type ProjectRef, present } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { GitEngine } from '../git/engine';
import { GitQueue } from '../git/process/git-queue';
import type { RefJournal } from '../git/refs/refs';
import type { RepositoryKind } from '../git/storage/storage';
import { GitOutbound } from '../outbound/git-outbound';
import type { RepositorySettings } from '../settings/settings';
import { ArchiveCache } from './archive-cache';
import { StorageHolding } from './storage-holding';

/** Parses `default=/srv/git,second=/mnt/git`. @throws Error for an invalid form */
export function storageFolders(entries: readonly string[]): Map<string, string> {
  return new Map(
    entries.map((entry) => {
      const [name, folder] = entry.split('=', 2);
      // Names are part of NATS subjects and of queue names.
      if (!name || !folder || !/^[\w-]+$/.test(name))
        throw new Error(`GIT_STORAGES: "${entry}" is not of the form name=folder`);
      return [name, path.resolve(folder)];
    }),
  );
}

/** A repository by its project, and its storage. */
export type RepositoryLocation = Pick<ProjectRef, 'id' | 'storage'>;

/** A repository of this process, and the engine of its storage. */
export interface Located {
  engine: GitEngine;
  /** Folder of the bare repository. */
  path: string;
}

/** The storages of this process: one git engine each. */
@Injectable()
export class Storages implements OnModuleInit, OnApplicationShutdown {
  /** Records changes of refs; the journal registers itself here, because it depends on the storages. */
  journal?: RefJournal;
  private readonly engines: Map<string, GitEngine>;
  private readonly archives: Map<string, ArchiveCache>;

  constructor(
    @Inject(settingsToken) settings: RepositorySettings,
    outbound: GitOutbound,
    // No cleanup and no request runs before this process owns the storages.
    private readonly holding: StorageHolding,
  ) {
    const { GIT_MAX_PROCESSES, GIT_MAX_TRANSFERS, GIT_SHARE, TRANSFER_IDLE_TIMEOUT, ARCHIVE_CACHE, FSYNC } = settings;
    const folders = storageFolders(settings.GIT_STORAGES);
    const waitMs = TRANSFER_IDLE_TIMEOUT * 1000;
    const processes = new GitQueue({ places: GIT_MAX_PROCESSES });
    const transfers = new GitQueue({ places: GIT_MAX_TRANSFERS, share: GIT_SHARE, maxWaiting: 200, waitMs });
    this.archives = new Map(
      [...folders].map(([name, folder]) => [name, new ArchiveCache(path.join(folder, '+archives'), ARCHIVE_CACHE)]),
    );
    this.engines = new Map(
      [...folders].map(([name, folder]) => [
        name,
        new GitEngine({
          storageName: name,
          storageRoot: folder,
          processes,
          transfers,
          fsync: FSYNC,
          imports: { route: () => outbound.route() },
          journal: { begin: async (path, updates) => this.journal?.begin(path, updates) ?? (async () => undefined) },
        }),
      ]),
    );
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([...this.engines.values()].map((engine) => engine.start()));
    await Promise.all([...this.archives.values()].map((archives) => archives.prepare()));
  }

  /** Names of the storages, in the order of the setting. */
  get names(): string[] {
    return [...this.engines.keys()];
  }

  /** @throws common.unavailable if this process does not own the storage */
  engine(storage: string): GitEngine {
    const engine = this.engines.get(storage);
    if (!engine) throw commonErrors.unavailable();
    return engine;
  }

  /** Called before refs move. @throws common.unavailable while another process may own the storage */
  async requireHeld(storage: string): Promise<void> {
    if (!(await this.holding.isCertain(storage))) throw commonErrors.unavailable();
  }

  /** Cached archives of a storage's repositories. */
  archiveCache(storage: string): ArchiveCache {
    return present(this.archives.get(storage), `the archives of ${storage}`);
  }

  /** The location of a project's repository or wiki, which may not exist. */
  locate({ id, storage }: RepositoryLocation, kind: RepositoryKind = 'code'): Located {
    const engine = this.engine(storage);
    return { engine, path: engine.storage.path(id, kind) };
  }

  async onApplicationShutdown(): Promise<void> {
    for (const engine of this.engines.values()) engine.close();
    await this.holding.giveUp();
  }
}
