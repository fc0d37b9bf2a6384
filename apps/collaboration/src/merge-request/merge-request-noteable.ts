import type { Caller, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import type { Noteable, NoteableDocument } from '../noteable/noteable';
import { MergeRequests } from './merge-request.repository';
import { MergeRequestCommands, mergeRequestCommands } from './merge-request-commands';
import { MergeRequestKind } from './merge-request-kind';

/** Merge requests, as notes see them. */
@Injectable()
export class MergeRequestNoteable {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly commands: MergeRequestCommands,
  ) {}

  /** @throws merge_request.not_found */
  async find({ project, caller }: { project: ProjectRef; caller: Caller }, iid: number): Promise<Noteable> {
    const mergeRequest = await this.mergeRequests.get(project, iid);
    return {
      subject: this.kind.subjectOf(mergeRequest),
      document: mergeRequest,
      model: this.kind.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      commands: mergeRequestCommands,
      apply: (commands) => this.commands.apply({ mergeRequest, project, caller }, commands),
    };
  }
}
