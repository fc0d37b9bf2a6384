import type { EventRecordKind, ExportedEvents, exportProjectRecords, OutputOf, ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import type { IssueDocument } from '../issue/issue.schema';
import type { LinkDocument } from '../issue-link/link.schema';
import { Labels } from '../label/label.repository';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { titlesOf } from '../plan-archive/exported-plan.view';
import { archivedEvents, type EventDocuments, type EventNames } from './archived-events';
import { NamedIterations } from './named-iterations';
import { type Numbered, nextHanging } from './next-hanging';

type Input = ParsedOf<typeof exportProjectRecords>;
type Exported = OutputOf<typeof exportProjectRecords>;
type EventDocument = EventDocuments[EventRecordKind];

/** Links of issues and events of issues and merge requests, page by page. */
@Injectable()
export class ReadAttached {
  constructor(
    private readonly labels: Labels,
    private readonly mergeRequests: MergeRequests,
    private readonly iterations: NamedIterations,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('IssueLink') private readonly links: Model<LinkDocument>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  /** From the source side; links to other projects are left out. */
  async exportLinks(projectId: number, input: Input): Promise<Exported> {
    const issues = this.issues as unknown as Model<Numbered>;
    const { items, iids, next } = await nextHanging(issues, projectId, this.links, 'sourceId', input);
    const targets = await this.issues
      .find({ projectId, _id: { $in: items.map(({ targetId }) => targetId) } }, { iid: 1 })
      .lean<Numbered[]>();
    const targetIids = new Map(targets.map(({ _id, iid }) => [_id, iid]));
    const issue_links = items.flatMap(({ sourceId, targetId, type, createdAt, updatedAt }) => {
      const [source_iid, target_iid] = [iids.get(sourceId), targetIids.get(targetId)];
      if (source_iid === undefined || target_iid === undefined) return [];
      return [
        { source_iid, target_iid, type, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
      ];
    });
    return { issue_links, ...next };
  }

  async exportEvents<K extends EventRecordKind>(projectId: number, kind: K, input: Input): Promise<Exported> {
    const { model, show } = archivedEvents[kind];
    const events = this.connection.model<EventDocuments[K]>(model);
    const { resource_type } = input;
    const owners = (resource_type === 'Issue' ? this.issues : this.mergeRequests.model) as unknown as Model<Numbered>;
    const page = await nextHanging(owners, projectId, events, 'resourceId', input, { resourceType: resource_type });
    const names = await this.namesIn(page.items);
    const rows = page.items.flatMap((event): ExportedEvents[K][] => {
      const resource_iid = page.iids.get(event.resourceId);
      if (resource_iid === undefined) return [];
      const { _id: id, userId: user_id, createdAt } = event;
      const on = { id, resource_type, resource_iid, user_id, created_at: createdAt.toISOString() };
      return [{ ...on, ...show(event, names) } as ExportedEvents[K]];
    });
    return { [kind]: rows, ...page.next };
  }

  private async namesIn(events: EventDocument[]): Promise<EventNames> {
    const idsOf = <F extends string>(field: F) =>
      events.flatMap((event) => (field in event ? [(event as unknown as Record<F, number>)[field]] : []));
    const milestoneIds = idsOf('milestoneId');
    const [labels, milestones, iterations] = await Promise.all([
      this.labels.findByIds(idsOf('labelId')),
      milestoneIds.length === 0
        ? []
        : this.milestones.find({ _id: { $in: milestoneIds } }, { title: 1 }).lean<MilestoneDocument[]>(),
      this.iterations.nameAll(idsOf('iterationId')),
    ]);
    return { labels: titlesOf(labels.values()), milestones: titlesOf(milestones), iterations };
  }
}
