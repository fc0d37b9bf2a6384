import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EvidenceFile } from './evidence.schema';
import type { Release } from './release.schema';

type Owner = Pick<Release, '_id' | 'projectId'>;

const idOf = ({ _id }: Pick<Release, '_id'>, sha256: string): string => `${_id} ${sha256}`;

/** Every query on the files of evidences. */
@Injectable()
export class EvidenceFiles {
  constructor(@InjectModel('EvidenceFile') private readonly files: Model<EvidenceFile>) {}

  /** Stores a file, unless the release has it already. */
  async add(
    { _id: releaseId, projectId }: Owner,
    sha256: string,
    file: Pick<EvidenceFile, 'content' | 'hasMilestones'>,
  ) {
    const _id = idOf({ _id: releaseId }, sha256);
    await this.files.updateOne({ _id }, { $setOnInsert: { projectId, releaseId, ...file } }, { upsert: true });
  }

  /** @returns null for an evidence of an earlier version, which stored no files */
  find(release: Pick<Release, '_id'>, sha256: string): Promise<EvidenceFile | null> {
    return this.files.findById(idOf(release, sha256)).lean<EvidenceFile>();
  }

  async forgetRelease(projectId: number, releaseId: number): Promise<void> {
    await this.files.deleteMany({ projectId, releaseId });
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.files.deleteMany({ projectId });
  }
}
