import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ObjectStorage } from '@moothall/object-storage';
import type { Model, QueryFilter } from 'mongoose';
import type { ArchiveExport } from './archive-export';

/** How long an archive can be downloaded. */
const retentionMs = 24 * 60 * 60 * 1000;

/** The queries and files that exports of groups and of projects share. */
export abstract class ArchiveExports<Export extends ArchiveExport> {
  /**
   * @param parentField the field with the id of the exported group or project
   * @param keyPrefix prefix of the archives in the object storage
   */
  protected constructor(
    readonly model: Model<Export>,
    private readonly storage: ObjectStorage,
    private readonly parentField: keyof Export & string,
    private readonly keyPrefix: string,
  ) {}

  /** Where the archive of an export is stored. */
  archiveKey(id: number): string {
    return `${this.keyPrefix}/${id}.tar.gz`;
  }

  find(id: number): Promise<Export | null> {
    return this.model.findById(id).lean<Export>();
  }

  latest(parentId: number, status?: 'finished'): Promise<Export | null> {
    const filter = { [this.parentField]: parentId, ...(status && { status }) };
    return this.model
      .findOne(filter as QueryFilter<Export>)
      .sort({ _id: -1 })
      .lean<Export>();
  }

  /** @returns false if the export was deleted with its group or project */
  async set(id: number, change: Partial<ArchiveExport & Export>): Promise<boolean> {
    return (await this.model.updateOne({ _id: id }, { $set: change })).matchedCount === 1;
  }

  /** Those that a worker has to build, or to finish with a mail. */
  unfinished(): Promise<Export[]> {
    return this.all({ $or: [{ status: { $in: ['queued', 'started'] } }, { status: 'finished', isTold: false }] });
  }

  /** Deletes the earlier exports of the same group or project. */
  async supersede(latest: Export): Promise<void> {
    await this.remove(await this.all({ [this.parentField]: latest[this.parentField], _id: { $lt: latest._id } }));
  }

  async removeExpired(now = Date.now()): Promise<void> {
    const createdAt = { $lt: new Date(now - retentionMs) };
    await this.remove(await this.all({ status: { $in: ['finished', 'failed'] }, createdAt }));
  }

  /** Deletes all exports of a group or project. */
  async forget(parentId: number): Promise<void> {
    await this.remove(await this.all({ [this.parentField]: parentId }));
  }

  /**
   * Runs `build` with an empty folder, and removes the folder afterwards. Safe to run again after a kill: the export
   * stores the name of the folder before it exists, and the files of the previous run are removed first.
   */
  async inFolder<T>(wanted: Export, build: (folder: string) => Promise<T>): Promise<T> {
    await this.removeFiles(wanted);
    const folder = path.join(tmpdir(), `moothall-export-${randomUUID()}`);
    await this.model.updateOne({ _id: wanted._id }, { $set: { status: 'started', folder } });
    await mkdir(folder, { mode: 0o700 });
    try {
      return await build(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes what the runs of an export have written. */
  async removeFiles({ _id, folder }: Pick<Export, '_id' | 'folder'>): Promise<void> {
    if (folder) await rm(folder, { recursive: true, force: true });
    await this.storage.remove(this.archiveKey(_id));
  }

  private all(filter: object): Promise<Export[]> {
    return this.model.find(filter as QueryFilter<Export>).lean<Export[]>();
  }

  private async remove(exports: Export[]): Promise<void> {
    for (const one of exports) {
      await this.removeFiles(one);
      await this.model.deleteOne({ _id: one._id });
    }
  }
}

/** `2026-11-21_02-30-12_group_project_export.tar.gz`, now and for this path. */
export function exportFilename(fullPath: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
  return `${stamp}_${fullPath.replaceAll('/', '_')}_export.tar.gz`;
}
