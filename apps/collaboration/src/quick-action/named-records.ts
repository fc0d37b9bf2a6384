import { type Caller, userIdsByUsername } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Awards } from '../award/award.repository';
import { Assignees } from '../issuable/assignees';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';

/** Finds what quick actions name: labels, milestones and people, as a project or group knows them. */
@Injectable()
export class NamedRecords {
  constructor(
    private readonly labels: Labels,
    readonly assignees: Assignees,
    readonly awards: Awards,
    private readonly client: OperationClient,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  /** `~bug ~"good first issue"`, also without the tilde; unknown ones are left out. */
  findLabels(argument: string, owners: OwnerKey[]): Promise<LabelDocument[]> {
    const titles = [...argument.matchAll(/~?"([^"]+)"|~?([^\s~"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    return this.labels.findNamed(titles, owners);
  }

  /** `%1.0`, `%"next release"`, also without the percent sign. */
  findMilestone(argument: string, owners: OwnerKey[]): Promise<MilestoneDocument | null> {
    const title = argument.replace(/^%/, '').replace(/^"(.*)"$/, '$1');
    return this.milestones
      .findOne({ owner: { $in: owners }, title })
      .lean<MilestoneDocument>()
      .exec();
  }

  /** `@one, @two me`. @returns how many were named, and who of them exists */
  async findPeople(argument: string, { username }: Caller) {
    const usernames = argument
      .split(/[\s,]+/)
      .flatMap((word) => (word === 'me' ? username : word.replace(/^@/, '') || []));
    const found = usernames.length > 0 ? await this.client.call(userIdsByUsername, { usernames }) : [];
    return { count: usernames.length, found };
  }
}
