import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LabelEventDocument, LabelEventResource } from '../activity/label-event.schema';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { replaceLabel } from '../label/label-references';
import { Milestones } from '../milestone/milestone.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';

const documentsPerStep = 500;

/** Where labels and milestones are looked for. */
export interface Settlement {
  /** Whose they become where none of the title is to be had. */
  owner: OwnerKey;
  /** Who owns what may be used there, nearest first. */
  owners: OwnerKey[];
  /** Of a project, for the priorities of its labels. */
  projectId?: number;
}

interface Bearer {
  _id: number;
  labelIds: number[];
  milestoneId: number | null;
  revision: number;
}

/** Issues, merge requests or epics of one place. */
export interface Bearers {
  type: LabelEventResource;
  model: Model<Bearer>;
  filter: { projectId: number } | { groupId: number };
}

/** Gives records the labels and milestones of where they are, for those of where they were. May run again at any point. */
@Injectable()
export class SettleBearers {
  constructor(
    private readonly labels: Labels,
    private readonly milestones: Milestones,
    @InjectModel('LabelEvent') private readonly labelEvents: Model<LabelEventDocument>,
  ) {}

  async settle(place: Settlement, bearers: Bearers): Promise<void> {
    const fields = { labelIds: 1, milestoneId: 1 };
    const documents = bearers.model
      .find(bearers.filter, fields)
      .lean<Bearer[]>()
      .cursor({ batchSize: documentsPerStep });
    let step: Bearer[] = [];
    for await (const document of documents) {
      step.push(document as unknown as Bearer);
      if (step.length < documentsPerStep) continue;
      await this.settleStep(place, bearers, step);
      step = [];
    }
    if (step.length > 0) await this.settleStep(place, bearers, step);
  }

  private async settleStep(place: Settlement, bearers: Bearers, step: Bearer[]): Promise<void> {
    const ids = step.map(({ _id }) => _id);
    await this.settleLabels(place, bearers, ids, new Set(step.flatMap(({ labelIds }) => labelIds)));
    await this.settleMilestones(place, bearers, ids, new Set(step.flatMap(({ milestoneId }) => milestoneId ?? [])));
  }

  private async settleLabels(place: Settlement, { type, model }: Bearers, ids: number[], used: Set<number>) {
    const events = { resourceType: type, resourceId: { $in: ids } };
    const told = await this.labelEvents.distinct('labelId', events);
    const foreign = { _id: { $in: [...used, ...told] }, owner: { $nin: place.owners } };
    for (const label of await this.labels.model.find(foreign).lean<LabelDocument[]>()) {
      const { _id } = await this.labelFor(place, label);
      await replaceLabel(model as never, { _id: { $in: ids } }, [label._id], _id);
      await this.labelEvents.updateMany({ ...events, labelId: label._id }, { $set: { labelId: _id } });
    }
  }

  private async labelFor({ owner, owners, projectId }: Settlement, former: LabelDocument): Promise<LabelDocument> {
    const { title, color, description, priorities } = former;
    const [known] = await this.labels.named([title], owners);
    const label = known ?? (await this.labels.addOrGet({ owner, title, color, description }));
    const priority = priorities.find((one) => one.projectId === projectId)?.priority;
    if (projectId === undefined || priority === undefined) return label;
    const isPrioritized = label.priorities.some((one) => one.projectId === projectId);
    if (!isPrioritized) await this.labels.prioritize(label._id, projectId, priority);
    await this.labels.prioritize(former._id, projectId, null);
    return label;
  }

  private async settleMilestones(place: Settlement, { model }: Bearers, ids: number[], used: Set<number>) {
    if (used.size === 0) return;
    const foreign = { _id: { $in: [...used] }, owner: { $nin: place.owners } };
    for (const milestone of await this.milestones.model.find(foreign).lean<MilestoneDocument[]>()) {
      const { _id } = await this.milestones.titledOrMade(milestone, place);
      const bearing = { _id: { $in: ids }, milestoneId: milestone._id };
      await model.updateMany(bearing, { $set: { milestoneId: _id }, $inc: { revision: 1 } });
    }
  }
}
