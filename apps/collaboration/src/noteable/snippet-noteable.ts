import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import {
  type InProject,
  type Noteable,
  type NoteableDocument,
  type NoteableFinder,
  withoutQuickActions,
} from '../note/noteable';
import { Snippets } from '../snippet/snippet.repository';
import type { SnippetDocument } from '../snippet/snippet.schema';

type SnippetFound = Noteable & { snippet: SnippetDocument };

/** Snippets of projects, as notes see them. */
@Injectable()
export class SnippetNoteable implements NoteableFinder<InProject, { snippet_id: number }, SnippetFound> {
  constructor(private readonly snippets: Snippets) {}

  /** @throws snippet.not_found */
  async find({ project, caller }: InProject, named: { snippet_id: number }): Promise<SnippetFound> {
    const snippet = await this.snippets.get(project, named.snippet_id, caller);
    return {
      snippet,
      subject: { type: 'Snippet', id: snippet._id, iid: null, projectId: snippet.projectId, groupId: null },
      document: snippet,
      model: this.snippets.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      ...withoutQuickActions,
    };
  }
}
