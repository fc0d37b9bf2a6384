import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';

/** The fields of an issue that epics read: the issue module depends on epics, and not the other way round. */
interface EpicIssue {
  epicId: number | null;
  epicPosition: number | null;
  milestoneId: number | null;
  revision: number;
}

/** Issues that belong to epics. */
@Injectable()
export class EpicReferences {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Milestones of the issues of some epics, each milestone once per epic. */
  async listMilestones(epicIds: number[]): Promise<{ epicId: number; milestoneId: number }[]> {
    return this.issues.aggregate<{ epicId: number; milestoneId: number }>([
      { $match: { epicId: { $in: epicIds }, milestoneId: { $ne: null } } },
      { $group: { _id: { epicId: '$epicId', milestoneId: '$milestoneId' } } },
      { $replaceWith: '$_id' },
    ]);
  }

  async hasIssues(epicId: number): Promise<boolean> {
    return (await this.issues.exists({ epicId })) !== null;
  }

  /** Removes the issues from the given epics. */
  async release(epicIds: number[]): Promise<void> {
    const withoutEpic = { $set: { epicId: null, epicPosition: null }, $inc: { revision: 1 } };
    await this.issues.updateMany({ epicId: { $in: epicIds } }, withoutEpic);
  }

  private get issues(): Model<EpicIssue> {
    return this.connection.model<EpicIssue>('Issue');
  }
}
