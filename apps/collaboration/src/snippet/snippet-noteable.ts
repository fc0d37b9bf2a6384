import type { Caller, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import type { Noteable, NoteableDocument } from '../noteable/noteable';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';

const noCommands = new Set<string>();

/** Snippets of projects, as notes see them. */
@Injectable()
export class SnippetNoteable {
  constructor(private readonly snippets: Snippets) {}

  /** @throws snippet.not_found */
  async find(
    { project, caller }: { project: ProjectRef; caller: Caller },
    id: number,
  ): Promise<Noteable & { snippet: SnippetDocument }> {
    const snippet = await this.snippets.get(project, id, caller);
    return {
      snippet,
      subject: { type: 'Snippet', id: snippet._id, iid: null, projectId: snippet.projectId, groupId: null },
      document: snippet,
      model: this.snippets.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      commands: noCommands,
      apply: async () => ({ changes: {}, summary: [] }),
    };
  }
}
