import { eachAlone, PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, groupDeleted, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { RemoveActivity } from '../activity/remove-activity';
import type { BoardDocument } from '../board/board.schema';
import type { EpicDocument } from '../epic/epic.schema';
import { EpicReferences } from '../epic/epic-references';
import type { IssueDocument } from '../issue/issue.schema';
import { RemoveIssues } from '../issue/remove-issues';
import { EpicLinks } from '../issue-link/epic-link.repository';
import { Iterations } from '../iteration/iteration.repository';
import type { IterationDocument } from '../iteration/iteration.schema';
import { IterationReferences } from '../iteration/iteration-references';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { LabelReferences } from '../label/label-references';
import { Milestones } from '../milestone/milestone.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { MilestoneReferences } from '../milestone/milestone-references';
import { groupOwner, type OwnerKey, projectOwner } from '../parent/owner';
import type { DeletedGroupDocument } from './deleted-group.schema';

const idsPerStep = 500;

/** Removes the records of deleted projects and groups. Each step is idempotent. */
@Injectable()
export class FollowParentDeletions {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    @InjectModel('DeletedGroup') private readonly deletedGroups: Model<DeletedGroupDocument>,
    private readonly activity: RemoveActivity,
    private readonly removeIssues: RemoveIssues,
    private readonly epicReferences: EpicReferences,
    private readonly epicLinks: EpicLinks,
    private readonly labels: Labels,
    private readonly labelReferences: LabelReferences,
    private readonly milestones: Milestones,
    private readonly milestoneReferences: MilestoneReferences,
    private readonly iterations: Iterations,
    private readonly iterationReferences: IterationReferences,
  ) {}

  @OnEvent(projectDeleted, 'FollowPlaceDeletions-ofProject')
  async removeOfProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.removeProject(data.project_id);
  }

  /** Also after a late write that the deletion missed. */
  async removeProject(projectId: number): Promise<void> {
    for (;;) {
      const ids = await this.findSomeIds(this.issues, { projectId });
      if (ids.length === 0) break;
      // Related records first, so that a repeat after an interruption still finds them.
      await this.removeIssues.removeAttached(ids);
      await this.issues.deleteMany({ _id: { $in: ids } });
    }
    await this.removeOwned(projectOwner(projectId));
    await this.labels.forgetProject(projectId);
  }

  @OnEvent(groupDeleted, 'FollowPlaceDeletions-ofGroup')
  async removeOfGroup({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    const note = { $setOnInsert: { deletedAt: new Date() } };
    await this.deletedGroups.updateOne({ _id: data.group_id }, note, { upsert: true });
    await this.removeGroup(data.group_id);
  }

  /** Called after a write that may have come later than the deletion and was missed by it. */
  async removeIfDeleted(groupId: number): Promise<void> {
    if (await this.deletedGroups.exists({ _id: groupId })) await this.removeGroup(groupId);
  }

  /** A process may have died between such a write and its removal. */
  @PeriodicJob('deleted groups', { everySeconds: 300 })
  async removeLate(signal?: AbortSignal): Promise<void> {
    const deleted = this.deletedGroups.find().lean<DeletedGroupDocument>().cursor();
    await eachAlone(deleted, ({ _id }) => this.removeGroup(_id), signal);
  }

  private async removeGroup(groupId: number): Promise<void> {
    for (;;) {
      const ids = await this.findSomeIds(this.epics, { groupId });
      if (ids.length === 0) break;
      await this.epicReferences.release(ids);
      await this.epicLinks.removeFrom(ids);
      await this.activity.removeFrom('Epic', ids);
      await this.epics.deleteMany({ _id: { $in: ids } });
    }
    await this.iterations.cadences.deleteMany({ groupId });
    const iterations = this.iterations.model.find({ groupId }).lean<IterationDocument>().cursor();
    for await (const iteration of iterations) await this.iterationReferences.remove(iteration);
    await this.removeOwned(groupOwner(groupId));
  }

  private async findSomeIds<T>(model: Model<T>, filter: object): Promise<number[]> {
    const found = await model.find(filter, { _id: 1 }).limit(idsPerStep).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  private async removeOwned(owner: OwnerKey): Promise<void> {
    await this.boards.deleteMany({ owner });
    const labels = await this.labels.model.find({ owner }).lean<LabelDocument[]>();
    for (const label of labels) await this.labelReferences.remove(label);
    const milestones = await this.milestones.model.find({ owner }).lean<MilestoneDocument[]>();
    for (const milestone of milestones) await this.milestoneReferences.remove(milestone);
  }
}
