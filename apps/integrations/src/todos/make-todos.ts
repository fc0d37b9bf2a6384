import { type OutputOf, showRecords, type TodoAction, userIdsByUsername } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { callerOf, UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { Mentions } from './mentions';
import { type NewTodo, Todos } from './todo.repository';
import type { TodoDocument } from './todo.schema';

/** The target of a to-do, its author and its time. */
export type Occasion = Pick<NewTodo, 'projectId' | 'authorId' | 'targetType' | 'targetId' | 'createdAt'> & {
  /** Id of the event, so that a repeated event creates nothing twice. */
  eventId: string;
  noteId?: number;
  ref?: string;
};

/** Creates to-dos for users who may read their target. */
@Injectable()
export class MakeTodos {
  constructor(
    private readonly todos: Todos,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** A user with a pending to-do on the target gets no second one. */
  async give(action: TodoAction, userIds: Iterable<number>, occasion: Occasion): Promise<void> {
    const { eventId, ...about } = occasion;
    for (const userId of new Set(userIds)) {
      if (await this.todos.findPending(userId, about)) continue;
      const key = `${eventId} ${userId}`;
      if (await this.sees(userId, about)) await this.todos.add({ ...about, key, userId, action });
    }
  }

  /** A user gets no to-do for their own mention. */
  async giveToMentioned({ all, addressed }: Mentions, occasion: Occasion): Promise<void> {
    if (all.size === 0) return;
    const found = await this.client.call(userIdsByUsername, { usernames: [...all] });
    const others = found.filter(({ id }) => id !== occasion.authorId);
    const isAddressed = ({ username }: { username: string }) => addressed.has(username.toLowerCase());
    const spokenTo = others.filter(isAddressed).map(({ id }) => id);
    const named = others.filter((one) => !isAddressed(one)).map(({ id }) => id);
    await this.give('directly_addressed', spokenTo, occasion);
    await this.give('mentioned', named, occasion);
  }

  /** Calls the service of the target as that user. */
  private async sees(
    userId: number,
    { targetType, targetId, noteId }: Pick<TodoDocument, 'targetType' | 'targetId'> & { noteId?: number },
  ): Promise<boolean> {
    const user = (await this.users.records([userId])).get(userId);
    if (user?.state !== 'active') return false;
    const wanted = {
      issue_ids: noteId === undefined && targetType === 'Issue' ? [targetId] : [],
      merge_request_ids: noteId === undefined && targetType === 'MergeRequest' ? [targetId] : [],
      note_ids: noteId === undefined ? [] : [noteId],
    };
    const shown: OutputOf<typeof showRecords> = await this.client.call(showRecords, wanted, {
      caller: callerOf(user),
    });
    return shown.issues.length + shown.merge_requests.length + shown.notes.length > 0;
  }
}
