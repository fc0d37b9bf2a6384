import { commonErrors, type MergeRequestVersion, type Page } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MergeRequestDocument, MergeRequestVersionDocument } from './merge-request.schema';

type Versioned = Pick<MergeRequestDocument, '_id' | 'headSha' | 'baseSha' | 'startSha'>;

/** Versions of a merge request: its state after each push. */
@Injectable()
export class MergeRequestVersions {
  constructor(
    @InjectModel('MergeRequestVersion') private readonly versions: Model<MergeRequestVersionDocument>,
    private readonly counters: Counters,
  ) {}

  /** One per head and base, also if the event of a push is delivered twice. */
  async record({ _id, headSha, baseSha, startSha }: Versioned): Promise<void> {
    if (!headSha) return;
    const isKnown = await this.versions.exists({ mergeRequestId: _id, headSha, baseSha });
    if (isKnown) return;
    const id = await this.counters.next('merge_request_versions');
    const version = { _id: id, mergeRequestId: _id, headSha, baseSha, startSha, createdAt: new Date() };
    await this.versions.create(version).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  /** Whether a commit ever was its head. */
  async hasHead(mergeRequestId: number, headSha: string): Promise<boolean> {
    return (await this.versions.exists({ mergeRequestId, headSha })) !== null;
  }

  page(mergeRequestId: number, input: { page: number; per_page: number }): Promise<Page<MergeRequestVersionDocument>> {
    return findPage(this.versions, { mergeRequestId }, { _id: -1 }, input);
  }

  async removeFrom(mergeRequestIds: number[]): Promise<void> {
    await this.versions.deleteMany({ mergeRequestId: { $in: mergeRequestIds } });
  }

  /** @throws common.not_found */
  async get(mergeRequestId: number, id: number): Promise<MergeRequestVersionDocument> {
    const found = await this.versions.findOne({ _id: id, mergeRequestId }).lean<MergeRequestVersionDocument>();
    if (!found) throw commonErrors.notFound();
    return found;
  }
}

export const viewVersion = (version: MergeRequestVersionDocument): MergeRequestVersion => ({
  id: version._id,
  head_commit_sha: version.headSha,
  base_commit_sha: version.baseSha,
  start_commit_sha: version.startSha,
  created_at: version.createdAt.toISOString(),
  merge_request_id: version.mergeRequestId,
  state: 'collected',
  real_size: null,
});
