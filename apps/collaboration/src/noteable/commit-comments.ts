import {
  type CommitComment,
  type ContextOf,
  createCommitComment,
  listCommitComments,
  type Note,
  type NotePosition,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import { CommitNoteable, type GitCommit } from './commit-noteable';
import { nobody } from './visible-notes';

/** The older operations for notes on commits. See docs/api/notes.md#11. */
@Controller()
export class CommitComments {
  constructor(
    private readonly commits: CommitNoteable,
    private readonly notes: NoteActions,
  ) {}

  @Handles(listCommitComments)
  async list({ project, caller }: ContextOf<typeof listCommitComments>, input: ParsedOf<typeof listCommitComments>) {
    const commit = await this.commits.findCommit({ project, caller }, input.sha);
    const noteable = await this.commits.noteableOf({ project, caller: caller ?? nobody }, commit);
    const { items, total } = await this.notes.list(noteable, {
      ...{ page: input.page, per_page: input.per_page, pagination: 'offset', activity_filter: 'only_comments' },
      ...{ order_by: 'created_at', sort: 'asc' },
    });
    return { items: items.map(view), total };
  }

  @Handles(createCommitComment)
  async create(context: ContextOf<typeof createCommitComment>, input: ParsedOf<typeof createCommitComment>) {
    const commit = await this.commits.findCommit(context, input.sha);
    const position = positionOf(commit, input);
    const noteable = await this.commits.noteableOf(context, commit);
    return view(await this.notes.say(noteable, input.note, position && { position }));
  }
}

const nothingBefore = (sha: string) => '0'.repeat(sha.length);

function positionOf(
  { id, parent_ids: [parent = nothingBefore(id)] }: GitCommit,
  { path, line, line_type }: ParsedOf<typeof createCommitComment>,
): NotePosition | undefined {
  if (path === undefined || line === undefined) return undefined;
  return {
    ...{ base_sha: parent, start_sha: parent, head_sha: id, position_type: 'text', old_path: path, new_path: path },
    ...(line_type === 'new' ? { new_line: line, old_line: null } : { new_line: null, old_line: line }),
  };
}

function view({ body, position, author, created_at }: Note): CommitComment {
  const { id, username, name, state, avatar_url, web_url } = author;
  return {
    note: body,
    path: position?.new_path ?? position?.old_path ?? null,
    line: position?.new_line ?? position?.old_line ?? null,
    line_type: position ? (typeof position.new_line === 'number' ? 'new' : 'old') : null,
    author: { id, username, name, state, avatar_url, web_url },
    created_at,
  };
}
