import { collectionOf, isDuplicateKey, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NotedCommitDocument } from './noted-commit.schema';

type Named = Pick<NotedCommitDocument, 'projectId' | 'sha' | 'title'>;

const noRecord = 0;
/** The record of a commit without notes. */
export const unnoted = (commit: Named): NotedCommitDocument => {
  const now = new Date();
  return { _id: noRecord, ...commit, authorId: 0, userNotesCount: 0, awards: [], createdAt: now, updatedAt: now };
};

/** Every query on commits with notes. */
@Injectable()
export class NotedCommits {
  constructor(
    @InjectModel('Commit') readonly model: Model<NotedCommitDocument>,
    private readonly ids: RecordIds,
  ) {}

  find(projectId: number, sha: string): Promise<NotedCommitDocument | null> {
    return this.model.findOne({ projectId, sha }).lean<NotedCommitDocument>().exec();
  }

  /** The record of a commit; the first note creates it. */
  async ensure(commit: Named): Promise<NotedCommitDocument> {
    const found = await this.find(commit.projectId, commit.sha);
    if (found) return found;
    const made = { ...unnoted(commit), _id: await this.ids.next('noted_commits') };
    try {
      await collectionOf(this.model).insertOne(made);
      return made;
    } catch (error) {
      const other = isDuplicateKey(error, 'sha') && (await this.find(commit.projectId, commit.sha));
      if (!other) throw error;
      return other;
    }
  }
}
