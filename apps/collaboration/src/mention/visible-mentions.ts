import { type Caller, callerInput, isFeatureOpen, isReadable, type ProjectRef, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Mention } from '../activity/new-note';
import type { NoteDocument } from '../activity/note.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { isHiddenFrom } from '../issue/visible-issues';
import { readsCode, readsMergeRequests } from '../parent/reads-code';

/** Hides `mentioned in issue #3` from users who may not see that issue. */
@Injectable()
export class VisibleMentions {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly client: OperationClient,
  ) {}

  /** @returns the notes without those about records that the caller may not see */
  async filter(notes: NoteDocument[], caller: Caller): Promise<NoteDocument[]> {
    const mentions = notes.flatMap(({ mentionedIn }) => mentionedIn ?? []);
    if (mentions.length === 0) return notes;
    const [projects, issues] = await Promise.all([this.findProjects(mentions, caller), this.findIssues(mentions)]);
    const isSeen = (mention: Mention): boolean => {
      const project = projects.get(mention.projectId);
      if (!project || !isReadable(project, caller)) return false;
      if (mention.type === 'Commit') return isFeatureOpen(project, 'repository') && readsCode(project);
      if (mention.type === 'MergeRequest')
        return isFeatureOpen(project, 'merge_requests') && readsMergeRequests(project);
      const issue = issues.get(mention.id as number);
      return isFeatureOpen(project, 'issues') && !!issue && !isHiddenFrom(issue, caller, project.accessLevel);
    };
    return notes.filter(({ mentionedIn }) => !mentionedIn || isSeen(mentionedIn));
  }

  private async findProjects(mentions: Mention[], caller: Caller): Promise<Map<number, ProjectRef>> {
    const ids = [...new Set(mentions.map(({ projectId }) => projectId))];
    return new Map(
      (await this.client.call(projectRefs, { ids, ...callerInput(caller) })).map((project) => [project.id, project]),
    );
  }

  private async findIssues(mentions: Mention[]): Promise<Map<unknown, IssueDocument>> {
    const ids = mentions.flatMap(({ type, id }) => (type === 'Issue' ? [id as number] : []));
    if (ids.length === 0) return new Map();
    const fields = { confidential: 1, authorId: 1, assigneeIds: 1 };
    const found = await this.issues.find({ _id: { $in: ids } }, fields).lean<IssueDocument[]>();
    return new Map(found.map((issue) => [issue._id, issue]));
  }
}
