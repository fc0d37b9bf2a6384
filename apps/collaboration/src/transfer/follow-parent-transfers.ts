import {
  descendantGroups,
  type EventData,
  type EventRecord,
  groupChanged,
  projectChanged,
  projectRefs,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EpicDocument } from '../epic/epic.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { Iterations } from '../iteration/iteration.repository';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { groupOwner, type OwnerKey, ownersForGroup, ownersForProject, projectOwner } from '../parent/owner';
import { ParentDirectory } from '../parent/parent-directory';
import { type Referrers, SettleReferences } from './settle-references';

const nobody = { user_id: null };

/**
 * Labels and milestones of groups above remain on the records of a transferred project or group: copied, or mapped to
 * those with the same title there. Events may arrive twice and in any order, so each run reads where the parent is now.
 */
@Injectable()
export class FollowParentTransfers {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    private readonly iterations: Iterations,
    private readonly references: SettleReferences,
    private readonly parents: ParentDirectory,
    private readonly client: OperationClient,
  ) {}

  /** Also for each project below a transferred group, because its path changes. */
  @OnEvent(projectChanged, 'FollowPlaceTransfers-ofProject')
  async settleProject({ data }: EventRecord<EventData<typeof projectChanged>>): Promise<void> {
    if (data.change !== 'transferred' && data.change !== 'renamed') return;
    const [project] = await this.client.call(projectRefs, { ids: [data.project_id], ...nobody });
    if (!project) return;
    const settlement = { owner: projectOwner(project.id), owners: ownersForProject(project), projectId: project.id };
    await this.references.settle(settlement, this.referrersOf('Issue', this.issues, { projectId: project.id }));
    await this.references.settle(
      settlement,
      this.referrersOf('MergeRequest', this.mergeRequests, { projectId: project.id }),
    );
    await this.references.settleBoards(settlement);
    await this.releaseEpics({ projectId: project.id }, project.groupIds);
    await this.releaseIterations({ projectId: project.id }, project.groupIds);
  }

  @OnEvent(groupChanged, 'FollowPlaceTransfers-ofGroup')
  async settleGroup({ data }: EventRecord<EventData<typeof groupChanged>>): Promise<void> {
    if (data.change !== 'transferred') return;
    const ids = await this.client.call(descendantGroups, { group_id: data.group_id });
    for (const group of await this.parents.readGroups(ids)) {
      const owner: OwnerKey = groupOwner(group.id);
      const settlement = { owner, owners: ownersForGroup(group) };
      await this.references.settle(settlement, this.referrersOf('Epic', this.epics, { groupId: group.id }));
      await this.references.settleBoards(settlement);
      await this.releaseParents(group.id, [group.id, ...group.ancestorIds]);
    }
  }

  /** Epics belong to the groups above a project; issues lose epics of other groups. */
  private async releaseEpics(filter: { projectId: number }, groupIds: number[]): Promise<void> {
    const inEpics: object = { ...filter, epicId: { $type: 'number' } };
    const foreign = await this.findForeign(await this.issues.distinct('epicId', inEpics), groupIds);
    const without = { $set: { epicId: null, epicPosition: null }, $inc: { revision: 1 } };
    await this.issues.updateMany({ ...filter, epicId: { $in: foreign } }, without);
  }

  /** The same for iterations. */
  private async releaseIterations(filter: { projectId: number }, groupIds: number[]): Promise<void> {
    const planned = await this.issues.distinct('iterationId', { ...filter, iterationId: { $gt: 0 } });
    const foreign = { _id: { $in: planned as number[] }, groupId: { $nin: groupIds } };
    const ids = await this.iterations.model.distinct('_id', foreign);
    const without = { $set: { iterationId: null }, $inc: { revision: 1 } };
    await this.issues.updateMany({ ...filter, iterationId: { $in: ids } }, without);
  }

  private async releaseParents(groupId: number, groupIds: number[]): Promise<void> {
    const children: object = { groupId, parentId: { $type: 'number' } };
    const foreign = await this.findForeign(await this.epics.distinct('parentId', children), groupIds);
    const without = { $set: { parentId: null }, $inc: { revision: 1 } };
    await this.epics.updateMany({ groupId, parentId: { $in: foreign } }, without);
  }

  private findForeign(epicIds: unknown[], groupIds: number[]): Promise<number[]> {
    const foreign: object = { _id: { $in: epicIds }, groupId: { $nin: groupIds } };
    return this.epics.distinct('_id', foreign);
  }

  private referrersOf<T>(type: Referrers['type'], model: Model<T>, filter: Referrers['filter']): Referrers {
    return { type, model: model as unknown as Referrers['model'], filter };
  }
}
