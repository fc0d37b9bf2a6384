import { type ContextOf, countProjectRecords, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { UploadDocument } from '../../upload/upload.schema';
import type { ProjectDocument } from '../project.schema';

/** Estimated counts of projects and uploads from collection metadata, without reading documents. */
@Controller()
export class CountRecords {
  constructor(
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
    @InjectModel('Upload') private readonly uploads: Model<UploadDocument>,
  ) {}

  @Handles(countProjectRecords)
  async count(_: ContextOf<typeof countProjectRecords>, __: ParsedOf<typeof countProjectRecords>) {
    const [projects, attachments] = await Promise.all([
      this.projects.estimatedDocumentCount(),
      this.uploads.estimatedDocumentCount(),
    ]);
    return { projects, attachments };
  }
}
