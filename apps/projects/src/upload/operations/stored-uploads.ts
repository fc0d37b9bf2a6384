import type { Readable } from 'node:stream';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { KeptCounts } from '../../project/kept-counts';
import type { UploadDocument } from '../upload.schema';

/** Records of uploads together with their bytes. */
@Injectable()
export class StoredUploads {
  constructor(
    @InjectModel('Upload') private readonly model: Model<UploadDocument>,
    private readonly counts: KeptCounts,
    private readonly storage: ObjectStorage,
  ) {}

  /** The record comes last: what is found is there whole. */
  async add(upload: Omit<UploadDocument, 'createdAt' | 'sizeBytes'>, bytes: Readable): Promise<void> {
    const { sizeBytes } = await this.storage.write(keyOf(upload), bytes);
    const insert = () => this.model.create({ ...upload, sizeBytes });
    await this.counts.whileChanging(upload.projectId, 'uploadBytes', insert);
  }

  async find(projectId: number, secret: string, filename: string): Promise<UploadDocument | null> {
    return this.model.findOne({ _id: secret, projectId, filename }).lean<UploadDocument>();
  }

  async forget(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
    await this.storage.removeAll(`uploads/${projectId}`);
  }
}

export const keyOf = ({ _id, projectId }: Pick<UploadDocument, '_id' | 'projectId'>): string =>
  `uploads/${projectId}/${_id}`;
