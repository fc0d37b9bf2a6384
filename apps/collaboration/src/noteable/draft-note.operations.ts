import {
  type ContextOf,
  commonErrors,
  createDraftNote,
  type DraftNote,
  deleteDraftNote,
  discussionErrors,
  draftNoteErrors,
  getDraftNote,
  isError,
  listDraftNotes,
  noteErrors,
  onlyGiven,
  type ParsedOf,
  publishDraftNote,
  publishDraftNotes,
  updateDraftNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { DraftNoteDocument } from '../activity/draft-note.schema';
import { DiscussionActions } from '../discussion/discussion-actions';
import { type ClaimedDraft, DraftNotes } from '../note/draft-note.repository';
import { NoteActions, requireWritable } from '../note/note-actions';
import type { Noteable } from '../note/noteable';
import { MergeRequestNoteable } from './merge-request-noteable';

type OnMergeRequest = ParsedOf<typeof publishDraftNotes>;

/** Draft notes on merge requests, visible to their author alone. See docs/api/notes.md#12. */
@Controller()
export class DraftNoteOperations {
  constructor(
    private readonly mergeRequests: MergeRequestNoteable,
    private readonly drafts: DraftNotes,
    private readonly notes: NoteActions,
    private readonly discussions: DiscussionActions,
  ) {}

  @Handles(listDraftNotes)
  async list(context: ContextOf<typeof listDraftNotes>, input: ParsedOf<typeof listDraftNotes>) {
    const { items, total } = await this.drafts.page(ownedIn(await this.mergeRequests.find(context, input)), input);
    return { items: items.map(view), total };
  }

  @Handles(getDraftNote)
  async get(context: ContextOf<typeof getDraftNote>, input: ParsedOf<typeof getDraftNote>) {
    const noteable = await this.mergeRequests.find(context, input);
    return view(await this.drafts.get(ownedIn(noteable), input.draft_note_id));
  }

  @Handles(createDraftNote)
  async create(context: ContextOf<typeof createDraftNote>, input: ParsedOf<typeof createDraftNote>) {
    const noteable = await this.mergeRequests.find(context, input);
    this.notes.requireCommenter(noteable);
    requireText(input.note);
    const { in_reply_to_discussion_id: discussionId, commit_id: commitId, position } = input;
    if (discussionId !== undefined) await this.discussions.requireAnswerable(noteable, discussionId);
    const made = await this.drafts.add({
      ...ownedIn(noteable),
      body: input.note,
      resolvesDiscussion: discussionId !== undefined && input.resolve_discussion,
      ...onlyGiven({ discussionId, commitId, position }),
    });
    return view(made);
  }

  @Handles(updateDraftNote)
  async update(context: ContextOf<typeof updateDraftNote>, input: ParsedOf<typeof updateDraftNote>) {
    const noteable = await this.mergeRequests.find(context, input);
    requireWritable(noteable);
    const { note: body, position } = input;
    if (body !== undefined) requireText(body);
    return view(await this.drafts.change(ownedIn(noteable), input.draft_note_id, onlyGiven({ body, position })));
  }

  @Handles(deleteDraftNote)
  async remove(context: ContextOf<typeof deleteDraftNote>, input: ParsedOf<typeof deleteDraftNote>): Promise<void> {
    await this.drafts.remove(ownedIn(await this.mergeRequests.find(context, input)), input.draft_note_id);
  }

  @Handles(publishDraftNote)
  async publish(context: ContextOf<typeof publishDraftNote>, input: ParsedOf<typeof publishDraftNote>): Promise<void> {
    await this.publishOne(await this.mergeRequests.find(context, input), input.draft_note_id);
  }

  @Handles(publishDraftNotes)
  async publishAll(context: ContextOf<typeof publishDraftNotes>, input: OnMergeRequest): Promise<void> {
    const noteable = await this.mergeRequests.find(context, input);
    for (const id of await this.drafts.listIds(ownedIn(noteable))) {
      await this.publishOne(noteable, id).catch((error: unknown) => {
        // Another request publishes or deleted it.
        if (!isError(error, draftNoteErrors.notFound)) throw error;
      });
    }
  }

  /** A refused draft stays a draft; after an interrupted publication the note may exist already. */
  private async publishOne(noteable: Noteable, id: number): Promise<void> {
    const owned = ownedIn(noteable);
    const draft = await this.drafts.claim(owned, id);
    try {
      if (!(await this.notes.isWritten(noteable, draft.noteId))) await this.write(noteable, draft);
    } catch (error) {
      await this.drafts.release(id);
      throw error;
    }
    await this.drafts.remove(owned, id);
    if (draft.discussionId !== undefined && draft.resolvesDiscussion) await this.resolve(noteable, draft.discussionId);
  }

  private async write(noteable: Noteable, draft: ClaimedDraft): Promise<void> {
    const { body, discussionId, position, noteId: reservedId } = draft;
    if (discussionId !== undefined) await this.discussions.reply(noteable, discussionId, { body, reservedId });
    else if (position) await this.discussions.create(noteable, { body, reservedId }, position);
    else await this.notes.comment(noteable, { body, reservedId });
  }

  /** As far as the author is allowed to: the reply is already written. */
  private async resolve(noteable: Noteable, discussionId: string): Promise<void> {
    const passed = [commonErrors.forbidden, discussionErrors.notResolvable, discussionErrors.notFound];
    await this.discussions.resolve(noteable, discussionId, true).catch((error: unknown) => {
      if (!passed.some((maker) => isError(error, maker))) throw error;
    });
  }
}

function requireText(body: string): void {
  if (body.trim() === '') throw noteErrors.blank();
}

const ownedIn = ({ subject, caller }: Noteable) => ({ mergeRequestId: subject.id, authorId: caller.id });

const view = (draft: DraftNoteDocument): DraftNote => ({
  id: draft._id,
  author_id: draft.authorId,
  merge_request_id: draft.mergeRequestId,
  resolve_discussion: draft.resolvesDiscussion,
  discussion_id: draft.discussionId ?? null,
  note: draft.body,
  commit_id: draft.commitId ?? null,
  line_code: null,
  position: draft.position ?? null,
});
