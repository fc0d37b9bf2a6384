import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { Issues } from '../issue/issue.repository';
import { IssueKind } from '../issue/issue-kind';
import type { InProject, Noteable, NoteableDocument, NoteableFinder } from '../note/noteable';
import { ApplyQuickActions, inProject } from '../quick-action/apply-quick-actions';
import { issueActions } from '../quick-action/issue-actions';

const commands: ReadonlySet<string> = new Set(Object.keys(issueActions.actions));

/** Issues as noteables. */
@Injectable()
export class IssueNoteable implements NoteableFinder<InProject, { issue_iid: number }> {
  constructor(
    private readonly issues: Issues,
    private readonly kind: IssueKind,
    private readonly quickActions: ApplyQuickActions,
  ) {}

  /** @throws issue.not_found */
  async find({ project, caller }: InProject, { issue_iid: iid }: { issue_iid: number }): Promise<Noteable> {
    const issue = await this.issues.getForNotes(project, iid, caller);
    return {
      subject: this.kind.subjectOf(issue),
      document: issue,
      model: this.kind.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: true,
      commands,
      apply: async (commands) => {
        const document = await this.issues.get(project, iid, caller);
        return this.quickActions.apply(issueActions, commands, this.kind, { document, ...inProject(project), caller });
      },
    };
  }
}
