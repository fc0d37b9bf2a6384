import { type Caller, type ProjectRef, userIdsByUsername } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Awards } from '../award/award.repository';
import { Assignees } from '../issuable/assignees';
import { Iterations } from '../iteration/iteration.repository';
import type { IterationDocument } from '../iteration/iteration.schema';
import { filterState } from '../iteration/iteration-days';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';

/**
 * Finds the records that quick actions name: labels, milestones, iterations and users, as a project or group knows
 * them.
 */
@Injectable()
export class NamedRecords {
  constructor(
    private readonly labels: Labels,
    readonly assignees: Assignees,
    readonly awards: Awards,
    private readonly client: OperationClient,
    private readonly iterations: Iterations,
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

  /**
   * `*iteration:12`, `*iteration:"June"`; `--current` and `--next` if only one cadence has such an iteration, or one is
   * named: `[cadence:3] --current`. For several with the same title, the earliest that is not over.
   */
  async findIteration(argument: string, { groupIds }: ProjectRef): Promise<IterationDocument | undefined> {
    const [, id, quoted] = /^\*iteration:(?:(\d{1,15})|"([^"]{1,255})")$/.exec(argument.trim()) ?? [];
    if (id !== undefined) return (await this.iterations.findOf(groupIds, { _id: Number(id) }))[0];
    if (quoted !== undefined) {
      const open = await this.iterations.findOf(groupIds, { title: quoted, ...filterState('opened') });
      return open[0] ?? (await this.iterations.findOf(groupIds, { title: quoted })).at(-1);
    }
    const [, cadence, which] = /^(?:\[cadence:(\d{1,15})\] ?)?--(current|next)$/.exec(argument.trim()) ?? [];
    if (which === undefined) return undefined;
    const state = filterState(which === 'current' ? 'current' : 'upcoming');
    const found = await this.iterations.findOf(groupIds, { ...(cadence && { cadenceId: Number(cadence) }), ...state });
    return new Set(found.map(({ cadenceId }) => cadenceId)).size === 1 ? found[0] : undefined;
  }

  /** `@one, @two me`. @returns how many were named, and those who exist */
  async findPeople(argument: string, { username }: Caller) {
    const usernames = argument
      .split(/[\s,]+/)
      .flatMap((word) => (word === 'me' ? username : word.replace(/^@/, '') || []));
    const found = usernames.length > 0 ? await this.client.call(userIdsByUsername, { usernames }) : [];
    return { count: usernames.length, found };
  }
}
