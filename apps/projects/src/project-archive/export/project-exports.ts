import { projectExportErrors } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ArchiveExports } from '../../archive/archive-exports';
import type { ProjectExportDocument } from './project-export.schema';

type Wanted = Pick<ProjectExportDocument, 'projectId' | 'userId' | 'description' | 'sealedUrl' | 'uploadMethod'>;

/** Every query on exports of projects. */
@Injectable()
export class ProjectExports extends ArchiveExports<ProjectExportDocument> {
  constructor(
    @InjectModel('ProjectExport') model: Model<ProjectExportDocument>,
    private readonly counters: Counters,
    storage: ObjectStorage,
  ) {
    super(model, storage, 'projectId', 'project-exports');
  }

  /**
   * Adds an export, or returns the unfinished one of the project.
   * @throws project_export.under_way if there is an unfinished one, and this one should be sent to a URL
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

  /** @returns false if the export was deleted with its project */
  async end(id: number, change: Partial<ProjectExportDocument>): Promise<boolean> {
    const ended = { $set: { ...change, finishedAt: new Date() }, $unset: { underWayOf: 1 } };
    return (await this.model.updateOne({ _id: id }, ended)).matchedCount === 1;
  }
}
