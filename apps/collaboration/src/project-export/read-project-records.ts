import {
  type ContextOf,
  exportProjectRecords,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import type { BoardDocument } from '../board/board.schema';
import { NotedCommits } from '../commit/noted-commit.repository';
import type { IssueDocument } from '../issue/issue.schema';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MergeRequestVersionDocument } from '../merge-request/record/merge-request.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { projectOwner } from '../parent/owner';
import { exportBoard, exportLabel, exportMilestone, titlesOf } from '../plan-archive/exported-plan.view';
import { nextPage, type Step } from '../plan-archive/next-page';
import { Snippets } from '../snippet/snippet.repository';
import { ArchivedApprovals } from './archived-approvals';
import type { EventNames } from './archived-events';
import {
  exportCommit,
  exportIssue,
  exportMergeRequest,
  exportNote,
  exportSnippet,
  notedTypes,
} from './exported-records.view';
import { NamedIterations } from './named-iterations';
import { ReadAttached } from './read-attached';

type Input = ParsedOf<typeof exportProjectRecords>;
type Exported = OutputOf<typeof exportProjectRecords>;
interface Planned {
  labelIds: number[];
  milestoneId: number | null;
  iterationId?: number | null;
}

/** Exports the records of a project page by page. See docs/api/projects.md#9. */
@Controller()
export class ReadProjectRecords {
  constructor(
    private readonly labels: Labels,
    private readonly mergeRequests: MergeRequests,
    private readonly snippets: Snippets,
    private readonly commits: NotedCommits,
    private readonly approvals: ArchivedApprovals,
    private readonly iterations: NamedIterations,
    private readonly attached: ReadAttached,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('MergeRequestVersion') private readonly versions: Model<MergeRequestVersionDocument>,
  ) {}

  @Handles(exportProjectRecords)
  async handle({ project }: ContextOf<typeof exportProjectRecords>, input: Input): Promise<Exported> {
    const owner = projectOwner(project.id);
    switch (input.kind) {
      case 'labels': {
        const used = { $or: [{ owner }, { _id: { $in: await this.usedBy(project.id, 'labelIds') } }] };
        const page = await nextPage<LabelDocument>(this.labels.model, used, input);
        return { labels: page.items.map(exportLabel), next_after_id: page.nextAfterId };
      }
      case 'milestones': {
        const used = { $or: [{ owner }, { _id: { $in: await this.usedBy(project.id, 'milestoneId') } }] };
        const page = await nextPage(this.milestones, used, input);
        return { milestones: page.items.map(exportMilestone), next_after_id: page.nextAfterId };
      }
      case 'boards':
        return this.exportBoards(await nextPage(this.boards, { owner }, input));
      case 'issues': {
        const page = await nextPage(this.issues, { projectId: project.id }, input);
        const titles = await this.titlesFor(page.items);
        return { issues: page.items.map((issue) => exportIssue(issue, titles)), next_after_id: page.nextAfterId };
      }
      case 'merge_requests':
        return this.exportMergeRequests(project, input);
      case 'approval_settings':
        return { approval_settings: await this.approvals.exportSettings(project), next_after_id: null };
      case 'snippets': {
        const page = await nextPage(this.snippets.model, { projectId: project.id }, input, '+files.content');
        return { snippets: page.items.map(exportSnippet), next_after_id: page.nextAfterId };
      }
      case 'commits': {
        const page = await nextPage(this.commits.model, { projectId: project.id }, input);
        return { commits: page.items.map(exportCommit), next_after_id: page.nextAfterId };
      }
      case 'issue_links':
        return this.attached.exportLinks(project.id, input);
      case 'notes': {
        const noted = { projectId: project.id, noteableType: { $in: [...notedTypes] } };
        const page = await nextPage(this.notes, noted, input);
        return { notes: page.items.map(exportNote), next_after_id: page.nextAfterId };
      }
      default:
        return this.attached.exportEvents(project.id, input.kind, input);
    }
  }

  /** Labels and milestones of groups above are included if a record uses them. */
  private async usedBy(projectId: number, field: 'labelIds' | 'milestoneId'): Promise<number[]> {
    const [ofIssues, ofMergeRequests] = await Promise.all([
      this.issues.distinct(field, { projectId }),
      this.mergeRequests.model.distinct(field, { projectId }),
    ]);
    return [...new Set([...ofIssues, ...ofMergeRequests])].filter((id): id is number => id !== null);
  }

  private async titlesFor(records: Planned[]): Promise<EventNames> {
    const [labels, milestones, iterations] = await Promise.all([
      this.labels.findByIds(records.flatMap(({ labelIds }) => labelIds)),
      this.milestones
        .find({ _id: { $in: records.flatMap(({ milestoneId }) => milestoneId ?? []) } })
        .lean<MilestoneDocument[]>(),
      this.iterations.nameAll(records.flatMap(({ iterationId }) => iterationId ?? [])),
    ]);
    return { labels: titlesOf(labels.values()), milestones: titlesOf(milestones), iterations };
  }

  private async exportBoards({ items, nextAfterId }: Step<BoardDocument>): Promise<Exported> {
    const parts = items.flatMap((board) => [board, ...board.lists]);
    const titles = await this.titlesFor(
      parts.map((part) => ({
        labelIds: 'labelIds' in part ? part.labelIds : [part.labelId ?? []].flat(),
        milestoneId: part.milestoneId,
      })),
    );
    const boards = items.map((board) => exportBoard(board, titles.labels, titles.milestones));
    return { boards, next_after_id: nextAfterId };
  }

  private async exportMergeRequests(project: ProjectRef, input: Input): Promise<Exported> {
    const page = await nextPage(this.mergeRequests.model, { projectId: project.id }, input);
    const [titles, versions, rulesOf] = await Promise.all([
      this.titlesFor(page.items),
      this.versions
        .find({ mergeRequestId: { $in: page.items.map(({ _id }) => _id) } })
        .sort({ _id: 1 })
        .lean<MergeRequestVersionDocument[]>(),
      this.approvals.exporter(project),
    ]);
    const byId = new Map<number, MergeRequestVersionDocument[]>();
    for (const one of versions) byId.set(one.mergeRequestId, [...(byId.get(one.mergeRequestId) ?? []), one]);
    return {
      merge_requests: page.items.map((one) =>
        exportMergeRequest(one, titles, byId.get(one._id) ?? [], rulesOf(one.approvalRules)),
      ),
      next_after_id: page.nextAfterId,
    };
  }
}
