import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EventfulResource, LabelEventDocument, MilestoneEventDocument } from '../activity/resource-event.schema';
import type { BoardDocument } from '../board/board.schema';
import { replaceInLists } from '../board/board-references';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { replaceLabel } from '../label/label-references';
import { Milestones } from '../milestone/milestone.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';

const documentsPerStep = 500;

/** Where labels and milestones are looked up. */
export interface Settlement {
  /** The owner of copies, if no label or milestone of the title exists. */
  owner: OwnerKey;
  /** The owners of labels and milestones that may be used there, nearest first. */
  owners: OwnerKey[];
  /** The project, for the priorities of its labels. */
  projectId?: number;
}

interface Referrer {
  _id: number;
  labelIds: number[];
  milestoneId: number | null;
  revision: number;
}

/** Issues, merge requests or epics of one parent. */
export interface Referrers {
  type: EventfulResource;
  model: Model<Referrer>;
  filter: { projectId: number } | { groupId: number };
}

/** Maps the labels and milestones of records to those of their new parent. Idempotent. */
@Injectable()
export class SettleReferences {
  constructor(
    private readonly labels: Labels,
    private readonly milestones: Milestones,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    @InjectModel('LabelEvent') private readonly labelEvents: Model<LabelEventDocument>,
    @InjectModel('MilestoneEvent') private readonly milestoneEvents: Model<MilestoneEventDocument>,
  ) {}

  async settle(settlement: Settlement, referrers: Referrers): Promise<void> {
    const fields = { labelIds: 1, milestoneId: 1 };
    const documents = referrers.model
      .find(referrers.filter, fields)
      .lean<Referrer[]>()
      .cursor({ batchSize: documentsPerStep });
    let step: Referrer[] = [];
    for await (const document of documents) {
      step.push(document as unknown as Referrer);
      if (step.length < documentsPerStep) continue;
      await this.settleStep(settlement, referrers, step);
      step = [];
    }
    if (step.length > 0) await this.settleStep(settlement, referrers, step);
  }

  /** The same for boards and their lists. */
  async settleBoards(settlement: Settlement): Promise<void> {
    const ofOwner = { owner: settlement.owner };
    const used = async (...fields: string[]) =>
      (await Promise.all(fields.map((field) => this.boards.distinct(field, ofOwner)))).flat() as number[];
    const foreign = (ids: number[]) => ({ _id: { $in: ids }, owner: { $nin: settlement.owners } });
    const labels = foreign(await used('labelIds', 'lists.labelId'));
    for (const label of await this.labels.model.find(labels).lean<LabelDocument[]>()) {
      const { _id } = await this.findLabel(settlement, label);
      await replaceLabel(this.boards as unknown as Model<Referrer>, ofOwner, [label._id], _id);
      await replaceInLists(this.boards.collection, ofOwner, 'labelId', [label._id], _id);
    }
    const milestones = foreign(await used('milestoneId', 'lists.milestoneId'));
    for (const milestone of await this.milestones.model.find(milestones).lean<MilestoneDocument[]>()) {
      const { _id } = await this.milestones.findOrMakeTitled(milestone, settlement);
      await this.boards.updateMany({ ...ofOwner, milestoneId: milestone._id }, { $set: { milestoneId: _id } });
      await replaceInLists(this.boards.collection, ofOwner, 'milestoneId', [milestone._id], _id);
    }
  }

  private async settleStep(settlement: Settlement, referrers: Referrers, step: Referrer[]): Promise<void> {
    const ids = step.map(({ _id }) => _id);
    await this.settleLabels(settlement, referrers, ids, new Set(step.flatMap(({ labelIds }) => labelIds)));
    await this.settleMilestones(
      settlement,
      referrers,
      ids,
      new Set(step.flatMap(({ milestoneId }) => milestoneId ?? [])),
    );
  }

  private async settleLabels(settlement: Settlement, { type, model }: Referrers, ids: number[], used: Set<number>) {
    const events = { resourceType: type, resourceId: { $in: ids } };
    const mentioned = await this.labelEvents.distinct('labelId', events);
    const foreign = { _id: { $in: [...used, ...mentioned] }, owner: { $nin: settlement.owners } };
    for (const label of await this.labels.model.find(foreign).lean<LabelDocument[]>()) {
      const { _id } = await this.findLabel(settlement, label);
      await replaceLabel(model, { _id: { $in: ids } }, [label._id], _id);
      await this.labelEvents.updateMany({ ...events, labelId: label._id }, { $set: { labelId: _id } });
    }
  }

  private async findLabel({ owner, owners, projectId }: Settlement, former: LabelDocument): Promise<LabelDocument> {
    const { title, color, description, priorities } = former;
    const [known] = await this.labels.findNamed([title], owners);
    const label = known ?? (await this.labels.addOrGet({ owner, title, color, description }));
    const priority = priorities.find((one) => one.projectId === projectId)?.priority;
    if (projectId === undefined || priority === undefined) return label;
    const isPrioritized = label.priorities.some((one) => one.projectId === projectId);
    if (!isPrioritized) await this.labels.prioritize(label._id, projectId, priority);
    await this.labels.prioritize(former._id, projectId, null);
    return label;
  }

  private async settleMilestones(settlement: Settlement, { type, model }: Referrers, ids: number[], used: Set<number>) {
    const events = { resourceType: type, resourceId: { $in: ids } };
    const mentioned = await this.milestoneEvents.distinct('milestoneId', events);
    const foreign = { _id: { $in: [...used, ...mentioned] }, owner: { $nin: settlement.owners } };
    for (const milestone of await this.milestones.model.find(foreign).lean<MilestoneDocument[]>()) {
      const { _id } = await this.milestones.findOrMakeTitled(milestone, settlement);
      const referring = { _id: { $in: ids }, milestoneId: milestone._id };
      await model.updateMany(referring, { $set: { milestoneId: _id }, $inc: { revision: 1 } });
      await this.milestoneEvents.updateMany({ ...events, milestoneId: milestone._id }, { $set: { milestoneId: _id } });
    }
  }
}
