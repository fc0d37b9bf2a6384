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

/** Project snippets as noteables. */
@Injectable()
export class SnippetNoteable implements NoteableFinder<InProject, { snippet_id: number }> {
  constructor(private readonly snippets: Snippets) {}

  /** @throws snippet.not_found */
  async find({ project, caller }: InProject, named: { snippet_id: number }): Promise<Noteable> {
    const snippet = await this.snippets.get(project, named.snippet_id, caller);
    return {
      subject: { type: 'Snippet', id: snippet._id, iid: null, projectId: snippet.projectId, groupId: null },
      document: snippet,
      model: this.snippets.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      shownWithNote: { title: snippet.title, file_name: snippet.files[0]?.path ?? null, expires_at: null },
      ...withoutQuickActions,
    };
  }
}
