import { rm } from 'node:fs/promises';
import { projectExportErrors } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { ProjectExportDocument } from './project-export.schema';

/** Under which the archive of an export is stored. */
export const archiveKeyOf = (exportId: number): string => `project-exports/${exportId}.tar.gz`;

type Wanted = Pick<ProjectExportDocument, 'projectId' | 'userId' | 'description' | 'sealedUrl' | 'uploadMethod'>;

/** Every query on exports, and the files they stand for. */
@Injectable()
export class ProjectExports {
  constructor(
    @InjectModel('ProjectExport') readonly model: Model<ProjectExportDocument>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * The export of the project that is under way from now on: one that is already is as good.
   * @throws project_export.under_way where its archive does not go where this one is to go
   */
  async begin(wanted: Wanted): Promise<ProjectExportDocument> {
    const { projectId } = wanted;
    for (;;) {
      const _id = await this.counters.next('project_exports');
      try {
        const made = { _id, ...wanted, underWayOf: projectId, status: 'queued' as const };
        return (await this.model.create(made)).toObject();
      } catch (error) {
        if (!isDuplicateKey(error, 'underWayOf')) throw error;
      }
      const underWay = await this.model.findOne({ underWayOf: projectId }).lean<ProjectExportDocument>();
      if (underWay && wanted.sealedUrl !== null) throw projectExportErrors.underWay();
      if (underWay) return underWay;
    }
  }

  async latest(projectId: number, status?: 'finished'): Promise<ProjectExportDocument | null> {
    const filter = { projectId, ...(status && { status }) };
    return this.model.findOne(filter).sort({ _id: -1 }).lean<ProjectExportDocument>();
  }

  find(id: number): Promise<ProjectExportDocument | null> {
    return this.model.findById(id).lean<ProjectExportDocument>();
  }

  /** @returns false when the export is gone, with its project */
  async set(id: number, change: Partial<ProjectExportDocument>): Promise<boolean> {
    return (await this.model.updateOne({ _id: id }, { $set: change })).matchedCount === 1;
  }

  /** @returns false when the export is gone, with its project */
  async end(id: number, change: Partial<ProjectExportDocument>): Promise<boolean> {
    const ended = { $set: { ...change, finishedAt: new Date() }, $unset: { underWayOf: 1 } };
    return (await this.model.updateOne({ _id: id }, ended)).matchedCount === 1;
  }

  async unfinished(): Promise<ProjectExportDocument[]> {
    const left: QueryFilter<ProjectExportDocument> = {
      $or: [{ status: { $in: ['queued', 'started'] } }, { status: 'finished', isTold: false }],
    };
    return this.model.find(left).lean<ProjectExportDocument[]>();
  }

  /** Removes exports of a project that came before another. */
  async supersede({ _id, projectId }: ProjectExportDocument): Promise<void> {
    await this.remove(await this.model.find({ projectId, _id: { $lt: _id } }).lean<ProjectExportDocument[]>());
  }

  async removeFinishedBefore(deadline: Date): Promise<void> {
    const done: QueryFilter<ProjectExportDocument> = {
      status: { $in: ['finished', 'failed'] },
      createdAt: { $lt: deadline },
    };
    await this.remove(await this.model.find(done).lean<ProjectExportDocument[]>());
  }

  async forget(projectId: number): Promise<void> {
    await this.remove(await this.model.find({ projectId }).lean<ProjectExportDocument[]>());
  }

  private async remove(exports: ProjectExportDocument[]): Promise<void> {
    for (const one of exports) {
      await this.removeFiles(one);
      await this.model.deleteOne({ _id: one._id });
    }
  }

  /** What runs of it have written so far. */
  async removeFiles({ _id, folder }: ProjectExportDocument): Promise<void> {
    if (folder) await rm(folder, { recursive: true, force: true });
    await this.storage.remove(archiveKeyOf(_id));
  }
}
