import { createHash } from 'node:crypto';
import type { Page } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { type ObjectSource, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { StoredCounts } from '../../project/stored-counts';
import type { UploadDocument } from '../upload.schema';

/** Records of uploads together with their files. */
@Injectable()
export class StoredUploads {
  constructor(
    @InjectModel('Upload') private readonly model: Model<UploadDocument>,
    private readonly counts: StoredCounts,
    private readonly storage: ObjectStorage,
  ) {}

  /** The record is written last: a visible upload is complete. */
  async add(upload: Omit<UploadDocument, 'createdAt' | 'sizeBytes' | 'sha256'>, source: ObjectSource): Promise<void> {
    const hash = createHash('sha256');
    const { sizeBytes } = await this.storage.write(keyOf(upload), source, (chunk) => hash.update(chunk));
    const sha256 = hash.digest('hex');
    const insert = () => this.model.create({ ...upload, sizeBytes, sha256 });
    await this.counts.whileChanging(upload.projectId, 'uploadBytes', insert);
  }

  /** @param filename any name if absent */
  async find(projectId: number, _id: string, filename?: string): Promise<UploadDocument | null> {
    const named = filename === undefined ? {} : { filename };
    return this.model.findOne({ _id, projectId, ...named }).lean<UploadDocument>();
  }

  /** All uploads of a project, unordered. */
  ofProject(projectId: number): AsyncIterable<UploadDocument> {
    return this.model.find({ projectId }).lean<UploadDocument>().cursor();
  }

  page(projectId: number, input: { page: number; per_page: number }): Promise<Page<UploadDocument>> {
    return findPage(this.model, { projectId }, { createdAt: -1, _id: 1 }, input);
  }

  /** The file is deleted first: while the record exists, the removal can be retried. */
  async remove(upload: UploadDocument): Promise<void> {
    await this.storage.remove(keyOf(upload));
    const forget = () => this.model.deleteOne({ _id: upload._id });
    await this.counts.whileChanging(upload.projectId, 'uploadBytes', forget);
  }

  /** Of all projects, by ascending id. */
  above(_id: string, limit: number): Promise<UploadDocument[]> {
    return this.model
      .find({ _id: { $gt: _id } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<UploadDocument[]>();
  }

  newest(limit: number): Promise<UploadDocument[]> {
    return this.model.find().sort({ createdAt: -1 }).limit(limit).lean<UploadDocument[]>();
  }

  findById(_id: string): Promise<UploadDocument | null> {
    return this.model.findById(_id).lean<UploadDocument>();
  }

  async forget(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
    await this.storage.removeAll(`uploads/${projectId}`);
  }
}

export const keyOf = ({ _id, projectId }: Pick<UploadDocument, '_id' | 'projectId'>): string =>
  `uploads/${projectId}/${_id}`;
