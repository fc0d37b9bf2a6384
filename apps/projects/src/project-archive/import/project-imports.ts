import { databaseTime } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ProjectImportDocument } from './project-import.schema';

/** Key of the archive in the object storage until the import ends. */
export const archiveKeyOf = (projectId: number): string => `project-imports/${projectId}.tar.gz`;

type Wanted = Pick<
  ProjectImportDocument,
  '_id' | 'userId' | 'isAdmin' | 'accessLevel' | 'overrides' | 'sealedUrl' | 'replaces'
>;

/** Every query on imports, and their archives. */
@Injectable()
export class ProjectImports {
  constructor(
    @InjectModel('ProjectImport') readonly model: Model<ProjectImportDocument>,
    private readonly storage: ObjectStorage,
  ) {}

  /** Stored first, so that a crash leaves nothing that cannot be found. */
  async add(wanted: Wanted): Promise<void> {
    await this.model.create({ ...wanted, status: 'preparing' });
  }

  find(projectId: number): Promise<ProjectImportDocument | null> {
    return this.model.findById(projectId).lean<ProjectImportDocument>();
  }

  async set(projectId: number, change: Partial<ProjectImportDocument>): Promise<void> {
    await this.model.updateOne({ _id: projectId }, { $set: change });
  }

  /** Imports that a worker has to start or continue. */
  ready(): Promise<ProjectImportDocument[]> {
    return this.model.find({ status: { $in: ['queued', 'started'] } }).lean<ProjectImportDocument[]>();
  }

  /** Imports whose preparation was interrupted: it never takes longer than this. */
  async abandoned(afterMs: number): Promise<ProjectImportDocument[]> {
    const before = new Date((await databaseTime(this.model.db)).getTime() - afterMs);
    return this.model.find({ status: 'preparing', createdAt: { $lt: before } }).lean<ProjectImportDocument[]>();
  }

  /** Removes everything except the record of the result. */
  async end(projectId: number, error: string | null): Promise<void> {
    await this.storage.remove(archiveKeyOf(projectId));
    await this.set(projectId, { status: error === null ? 'finished' : 'failed', error });
  }

  /** Deletes the record of an import that was refused. */
  async forget(projectId: number): Promise<void> {
    await this.storage.remove(archiveKeyOf(projectId));
    await this.model.deleteOne({ _id: projectId });
  }
}
