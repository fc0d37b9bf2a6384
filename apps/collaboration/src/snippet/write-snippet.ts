import {
  type Caller,
  type ContextOf,
  type createSnippet,
  invalidRecord,
  type ParsedOf,
  snippetErrors,
  type updateSnippet,
  type Visibility,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { KnownSettings } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { RemoveActivity } from '../activity/remove-activity';
import { userAgentOf } from '../user-agent/user-agent.schema';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';
import { filesAfter, firstFiles } from './snippet-files';

type Client = ContextOf<typeof createSnippet>['client'];

/** Writes that personal and project snippets share. */
@Injectable()
export class WriteSnippet {
  constructor(
    private readonly snippets: Snippets,
    private readonly activity: RemoveActivity,
    private readonly counters: Counters,
    private readonly instance: KnownSettings,
  ) {}

  /** @throws snippet.files_refused; common.invalid_record for a visibility that is restricted to administrators */
  async create(
    caller: Caller,
    projectId: number | null,
    input: Omit<ParsedOf<typeof createSnippet>, 'id'>,
    client: Client,
  ): Promise<SnippetDocument> {
    const files = firstFiles(input);
    await this.requireUnrestricted(input.visibility, caller);
    const now = new Date();
    return this.snippets.insert({
      _id: await this.counters.next('snippets'),
      revision: 0,
      projectId,
      authorId: caller.id,
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

  /** Retried after a concurrent change, so that neither is lost. @throws snippet.files_refused; snippet.not_found */
  async change(
    id: number,
    input: Omit<ParsedOf<typeof updateSnippet>, 'id'>,
    caller: Caller,
  ): Promise<SnippetDocument> {
    if (input.visibility !== undefined) await this.requireUnrestricted(input.visibility, caller);
    for (;;) {
      const current = await this.snippets.getWithContent(id);
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

  private async requireUnrestricted(visibility: Visibility, { isAdmin }: Caller): Promise<void> {
    const { restricted_visibility_levels: restricted } = await this.instance.read();
    if (isAdmin || !restricted.includes(visibility)) return;
    throw invalidRecord({ visibility_level: [`${visibility} has been restricted by your administrator`] });
  }

  async remove(snippet: SnippetDocument): Promise<void> {
    await this.snippets.remove(snippet);
    await this.activity.removeFrom('Snippet', [snippet._id]);
  }
}
