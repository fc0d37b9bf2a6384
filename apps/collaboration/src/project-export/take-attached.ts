import {
  type EventRecordKind,
  type ExportedEvents,
  type ExportedIssueLink,
  eventRecordKinds,
  type importProjectRecords,
  type ParsedOf,
  type ProjectRef,
  present,
} from '@moothall/contracts';
import { collectionOf, insertEach, isDuplicateKey, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { endsOf, type LinkDocument } from '../issue-link/link.schema';
import { ownersForProject } from '../parent/owner';
import { TakePlan } from '../plan-archive/take-plan';
import { archivedEvents, type EventDocuments, type EventIds } from './archived-events';
import { NamedIterations } from './named-iterations';
import { RecordsByNumber } from './records-by-number';

type Link = z.infer<typeof ExportedIssueLink>;

/** Imports links and events of an archive into a project, for records that exist. */
@Injectable()
export class TakeAttached {
  constructor(
    private readonly plan: TakePlan,
    private readonly numbers: RecordsByNumber,
    private readonly iterations: NamedIterations,
    private readonly ids: RecordIds,
    @InjectModel('IssueLink') private readonly links: Model<LinkDocument>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  async takeLinks(project: ProjectRef, links: Link[]): Promise<number> {
    if (links.length === 0) return 0;
    const issues = await this.numbers.idsOf(
      'Issue',
      project.id,
      links.flatMap(({ source_iid, target_iid }) => [source_iid, target_iid]),
    );
    const ids = await this.ids.take('issue_links', links.length);
    const documents = links.flatMap((link, at): LinkDocument[] => {
      const [sourceId, targetId] = [issues.get(link.source_iid), issues.get(link.target_iid)];
      if (sourceId === undefined || targetId === undefined || sourceId === targetId) return [];
      const { type, created_at, updated_at } = link;
      return [
        {
          _id: present(ids[at], 'the id of a link'),
          ...{ sourceId, targetId, ends: endsOf({ sourceId, targetId }), type },
          ...{ createdAt: new Date(created_at), updatedAt: new Date(updated_at) },
        },
      ];
    });
    const failures = await insertEach(collectionOf(this.links), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, 'ends')) throw failure;
    return documents.length - failures.size;
  }

  async takeEvents(project: ProjectRef, input: ParsedOf<typeof importProjectRecords>): Promise<number> {
    let created = 0;
    for (const kind of eventRecordKinds) created += await this.takeEventsOf(project, kind, input[kind] ?? []);
    return created;
  }

  private async takeEventsOf<K extends EventRecordKind>(
    project: ProjectRef,
    kind: K,
    rows: ExportedEvents[K][],
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const { model, take } = archivedEvents[kind];
    const iidsOf = (type: 'Issue' | 'MergeRequest') =>
      rows.flatMap(({ resource_type, resource_iid }) => (resource_type === type ? [resource_iid] : []));
    const [ids, issues, mergeRequests] = await Promise.all([
      this.idsNamedIn(project, rows),
      this.numbers.idsOf('Issue', project.id, iidsOf('Issue')),
      this.numbers.idsOf('MergeRequest', project.id, iidsOf('MergeRequest')),
    ]);
    const documents = rows.flatMap((row) => {
      const { resource_type: resourceType, resource_iid } = row;
      const resourceId = (resourceType === 'Issue' ? issues : mergeRequests).get(resource_iid);
      if (resourceId === undefined) return [];
      const on = { _id: row.id, resourceType, resourceId, userId: row.user_id, createdAt: new Date(row.created_at) };
      return [{ ...on, ...take(row, ids) }];
    });
    const events = this.connection.model<EventDocuments[K]>(model);
    const failures = await insertEach(collectionOf(events), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, '_id')) throw failure;
    return documents.length - failures.size;
  }

  private async idsNamedIn(project: ProjectRef, rows: ExportedEvents[EventRecordKind][]): Promise<EventIds> {
    const owners = ownersForProject(project);
    const [labels, milestones, iterations] = await Promise.all([
      this.plan.findLabelIds(
        owners,
        rows.flatMap((row) => ('label_title' in row ? (row.label_title ?? []) : [])),
      ),
      this.plan.findMilestoneIds(
        owners,
        rows.flatMap((row) => ('milestone_title' in row ? (row.milestone_title ?? []) : [])),
      ),
      this.iterations.findAll(
        project.groupIds,
        rows.flatMap((row) => ('iteration' in row ? [row.iteration] : [])),
      ),
    ]);
    return { labels, milestones, iterations };
  }
}
