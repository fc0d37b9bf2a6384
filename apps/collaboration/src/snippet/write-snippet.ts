import {
  type Caller,
  type ContextOf,
  type createSnippet,
  type ParsedOf,
  snippetErrors,
  type updateSnippet,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { RemoveAttached } from '../noteable/remove-attached';
import { userAgentOf } from '../user-agent/user-agent.schema';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';
import { filesAfter, firstFiles } from './snippet-files';

type Client = ContextOf<typeof createSnippet>['client'];

/** Writes that snippets of people and of projects share. */
@Injectable()
export class WriteSnippet {
  constructor(
    private readonly snippets: Snippets,
    private readonly attached: RemoveAttached,
    private readonly counters: Counters,
  ) {}

  /** @throws snippet.files_refused */
  async create(
    { id: authorId }: Caller,
    projectId: number | null,
    input: Omit<ParsedOf<typeof createSnippet>, 'id'>,
    client: Client,
  ): Promise<SnippetDocument> {
    const files = firstFiles(input);
    const now = new Date();
    return this.snippets.insert({
      _id: await this.counters.next('snippets'),
      revision: 0,
      projectId,
      authorId,
      title: input.title.trim(),
      description: input.description ?? null,
      visibility: input.visibility,
      files,
      userAgent: userAgentOf(client),
      userNotesCount: 0,
      awards: [],
      createdAt: now,
      updatedAt: now,
    });
  }

  /** Tried anew from what another writer left, so that neither change is lost. @throws snippet.files_refused; snippet.not_found */
  async change(id: number, input: Omit<ParsedOf<typeof updateSnippet>, 'id'>): Promise<SnippetDocument> {
    for (;;) {
      const current = await this.snippets.withContent(id);
      if (!current) throw snippetErrors.notFound();
      const { title, description, visibility } = input;
      const changed = await this.snippets.replace(current, {
        ...(title !== undefined && { title: title.trim() }),
        ...(description !== undefined && { description }),
        ...(visibility !== undefined && { visibility }),
        files: filesAfter(current.files, input),
        updatedAt: new Date(),
      });
      if (changed) return changed;
    }
  }

  async remove(snippet: SnippetDocument): Promise<void> {
    await this.snippets.remove(snippet);
    await this.attached.of('Snippet', [snippet._id]);
  }
}
