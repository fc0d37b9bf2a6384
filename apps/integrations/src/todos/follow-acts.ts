import {
  type EventContract,
  type EventData,
  type EventRecord,
  issueChanged,
  mergeRequestChanged,
  noteCreated,
  noteDeleted,
  projectDeleted,
  userDeleted,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { MakeTodos, type Occasion } from './make-todos';
import { type Mentions, mentionsIn } from './mentions';
import { Todos } from './todo.repository';

type Event<E extends EventContract> = EventRecord<EventData<E>>;

interface Facts {
  description: string | null;
  assignee_ids: number[];
  reviewer_ids?: number[] | undefined;
}

interface Change {
  action: string;
  now: Facts;
  /** Changed facts with their former values. */
  before: { [K in keyof Facts]?: Facts[K] | undefined } | undefined;
}

/** Creates and completes to-dos when users act. See docs/api/todos.md#2. */
@Injectable()
export class FollowActs {
  constructor(
    private readonly todos: Todos,
    private readonly make: MakeTodos,
  ) {}

  @OnEvent(issueChanged, 'FollowActs-ofIssue')
  async ofIssue({ id, data, occurredAt }: Event<typeof issueChanged>): Promise<void> {
    const { action, issue, before, user_id } = data;
    const target = { targetType: 'Issue', targetId: issue.id } as const;
    const about = { projectId: issue.project_id, authorId: user_id, ...target };
    await this.follow({ action, now: issue, before }, { ...about, eventId: id, createdAt: new Date(occurredAt) });
  }

  @OnEvent(mergeRequestChanged, 'FollowActs-ofMergeRequest')
  async ofMergeRequest({ id, data, occurredAt }: Event<typeof mergeRequestChanged>): Promise<void> {
    const { action, merge_request: now, before, user_id } = data;
    const target = { targetType: 'MergeRequest', targetId: now.id } as const;
    const about = { projectId: now.project_id, authorId: user_id, ...target };
    await this.follow({ action, now, before }, { ...about, eventId: id, createdAt: new Date(occurredAt) });
  }

  /** A user who acts on a record has seen it, so older to-dos on it are done. The act may create new ones. */
  private async follow({ action, now, before }: Change, occasion: Occasion): Promise<void> {
    if (action === 'delete') return this.todos.removeOn(occasion);
    if (action !== 'open') await this.todos.finishOn(occasion, occasion.authorId, occasion.createdAt);
    const was = action === 'open' ? { description: null, assignee_ids: [], reviewer_ids: [] } : (before ?? {});
    await this.make.give('assigned', added(was.assignee_ids, now.assignee_ids), occasion);
    await this.make.give('review_requested', added(was.reviewer_ids, now.reviewer_ids), occasion);
    if (was.description === undefined) return;
    const mentioned = mentionsIn(now.description);
    await this.make.giveToMentioned(without(mentioned, mentionsIn(was.description)), occasion);
  }

  @OnEvent(noteCreated, 'FollowActs-ofNote')
  async ofNote({ id, data, occurredAt }: Event<typeof noteCreated>): Promise<void> {
    const { note, project_id: projectId } = data;
    const { noteable_type: targetType, noteable_id: targetId } = note;
    if (projectId === null || (targetType !== 'Issue' && targetType !== 'MergeRequest')) return;
    const about = { projectId, authorId: note.author_id, targetType, targetId, createdAt: new Date(occurredAt) };
    await this.todos.finishOn(about, note.author_id, about.createdAt);
    await this.make.giveToMentioned(mentionsIn(note.body), { ...about, eventId: id, noteId: note.id });
  }

  @OnEvent(noteDeleted, 'FollowActs-ofNoteDeleted')
  async ofNoteDeleted({ data }: Event<typeof noteDeleted>): Promise<void> {
    await this.todos.removeNote(data.note_id);
  }

  @OnEvent(projectDeleted, 'FollowActs-ofProjectDeleted')
  async ofProjectDeleted({ data }: Event<typeof projectDeleted>): Promise<void> {
    await this.todos.removeOfProject(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowActs-ofUserDeleted')
  async ofUserDeleted({ data }: Event<typeof userDeleted>): Promise<void> {
    await this.todos.removeOfUser(data.user_id);
  }
}

/** @param before undefined if it did not change */
const added = (before: number[] | undefined, now: number[] = []): number[] =>
  before === undefined ? [] : now.filter((id) => !before.includes(id));

const without = (now: Mentions, before: Mentions): Mentions => ({
  all: new Set([...now.all].filter((name) => !before.all.has(name))),
  addressed: now.addressed,
});
