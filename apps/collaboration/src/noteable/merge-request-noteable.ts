import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { AutoMerges } from '../merge-request/merge/auto-merges';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import { MergeRequestKind } from '../merge-request/record/merge-request-kind';
import type { InProject, Noteable, NoteableDocument, NoteableFinder } from '../note/noteable';
import { ApplyQuickActions, inProject } from '../quick-action/apply-quick-actions';
import { mergeRequestActions } from '../quick-action/merge-request-actions';
import { Suggestions } from '../suggestion/suggestions';

const commands: ReadonlySet<string> = new Set(Object.keys(mergeRequestActions.actions));

/** Merge requests as noteables. */
@Injectable()
export class MergeRequestNoteable implements NoteableFinder<InProject, { merge_request_iid: number }> {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly quickActions: ApplyQuickActions,
    private readonly autoMerges: AutoMerges,
    private readonly suggestions: Suggestions,
  ) {}

  /** @throws merge_request.not_found */
  async find({ project, caller }: InProject, named: { merge_request_iid: number }): Promise<Noteable> {
    const mergeRequest = await this.mergeRequests.get(project, named.merge_request_iid);
    return {
      subject: this.kind.subjectOf(mergeRequest),
      document: mergeRequest,
      model: this.kind.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      commands,
      apply: (commands) =>
        this.quickActions.apply(mergeRequestActions, commands, this.kind, {
          document: mergeRequest,
          ...inProject(project),
          caller,
        }),
      suggestions: {
        read: (body, position) => this.suggestions.read(mergeRequest, project, body, position),
        view: (notes) => this.suggestions.view(mergeRequest, project, notes),
      },
      onSettled: () => this.autoMerges.wake(mergeRequest._id),
    };
  }
}
