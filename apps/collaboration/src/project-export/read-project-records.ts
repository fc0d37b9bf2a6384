import { type ContextOf, exportProjectRecords, type OutputOf, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import type { BoardDocument } from '../board/board.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MergeRequestVersionDocument } from '../merge-request/record/merge-request.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { projectOwner } from '../parent/owner';
import { exportBoard, exportLabel, exportMilestone, titlesOf } from '../plan-archive/exported-plan.view';
import { nextPage, type Step } from '../plan-archive/next-page';
import { exportIssue, exportMergeRequest, exportNote, type PlanTitles } from './exported-records.view';

type Input = ParsedOf<typeof exportProjectRecords>;
type Exported = OutputOf<typeof exportProjectRecords>;
interface Planned {
  labelIds: number[];
  milestoneId: number | null;
}

const notedTypes = ['Issue', 'MergeRequest'] as const;

/** Hands out what a project has here, page by page. See docs/api/projects.md#9. */
@Controller()
export class ReadProjectRecords {
  constructor(
    private readonly labels: Labels,
    private readonly mergeRequests: MergeRequests,
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
        return this.exportMergeRequests(project.id, input);
      case 'notes':
        return this.exportNotes(project.id, input);
    }
  }

  /** Labels and milestones of groups above come along as far as something has them. */
  private async usedBy(projectId: number, field: keyof Planned): Promise<number[]> {
    const [ofIssues, ofMergeRequests] = await Promise.all([
      this.issues.distinct(field, { projectId }),
      this.mergeRequests.model.distinct(field, { projectId }),
    ]);
    return [...new Set([...ofIssues, ...ofMergeRequests])].filter((id): id is number => id !== null);
  }

  private async titlesFor(records: Planned[]): Promise<PlanTitles> {
    const [labels, milestones] = await Promise.all([
      this.labels.findByIds(records.flatMap(({ labelIds }) => labelIds)),
      this.milestones
        .find({ _id: { $in: records.flatMap(({ milestoneId }) => milestoneId ?? []) } })
        .lean<MilestoneDocument[]>(),
    ]);
    return { labels: titlesOf(labels.values()), milestones: titlesOf(milestones) };
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

  private async exportMergeRequests(projectId: number, input: Input): Promise<Exported> {
    const page = await nextPage(this.mergeRequests.model, { projectId }, input);
    const [titles, versions] = await Promise.all([
      this.titlesFor(page.items),
      this.versions
        .find({ mergeRequestId: { $in: page.items.map(({ _id }) => _id) } })
        .sort({ _id: 1 })
        .lean<MergeRequestVersionDocument[]>(),
    ]);
    const byId = new Map<number, MergeRequestVersionDocument[]>();
    for (const one of versions) byId.set(one.mergeRequestId, [...(byId.get(one.mergeRequestId) ?? []), one]);
    return {
      merge_requests: page.items.map((one) => exportMergeRequest(one, titles, byId.get(one._id) ?? [])),
      next_after_id: page.nextAfterId,
    };
  }

  private async exportNotes(projectId: number, input: Input): Promise<Exported> {
    const page = await nextPage(this.notes, { projectId, noteableType: { $in: [...notedTypes] } }, input);
    return {
      notes: page.items.flatMap((note) => (note.noteableIid === null ? [] : [exportNote(note, note.noteableIid)])),
      next_after_id: page.nextAfterId,
    };
  }
}
