import { type EventData, type EventRecord, projectDeleted, snippetDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { RemoveActivity } from '../activity/remove-activity';
import type { SnippetDocument } from './snippet.schema';

const idsPerStep = 1000;

type Event<E> = EventRecord<EventData<E>>;

/** Removes snippets with those they belong to. */
@Injectable()
export class SnippetsFollowDeletions {
  constructor(
    @InjectModel('Snippet') private readonly snippets: Model<SnippetDocument>,
    private readonly activity: RemoveActivity,
  ) {}

  /** Again, where a stop came in between. */
  @OnEvent(snippetDeleted, 'SnippetsFollowDeletions-ofSnippet')
  async removeActivityOfSnippet({ data }: Event<typeof snippetDeleted>): Promise<void> {
    await this.activity.removeFrom('Snippet', [data.snippet_id]);
  }

  @OnEvent(projectDeleted, 'SnippetsFollowDeletions-ofProject')
  async removeOfProject({ data }: Event<typeof projectDeleted>): Promise<void> {
    await this.removeProject(data.project_id);
  }

  /** Also after a write that came later than the deletion, which has missed it. */
  async removeProject(projectId: number): Promise<void> {
    await this.removeAll({ projectId });
  }

  /** Personal snippets go with their author, others become the ghost user's. */
  @OnEvent(userDeleted, 'SnippetsFollowDeletions-ofUser')
  async removeOrHandOver({ data }: Event<typeof userDeleted>): Promise<void> {
    const own = { authorId: data.user_id };
    await this.removeAll(data.hard_delete ? own : { ...own, projectId: null });
    await this.snippets.updateMany(own, { $set: { authorId: data.ghost_user_id } });
  }

  /** What hangs on them goes first, so that a repeat after a stop still finds it. */
  private async removeAll(filter: QueryFilter<SnippetDocument>): Promise<void> {
    for (;;) {
      const found = await this.snippets.find(filter, { _id: 1 }).limit(idsPerStep).lean<{ _id: number }[]>();
      if (found.length === 0) return;
      const ids = found.map(({ _id }) => _id);
      await this.activity.removeFrom('Snippet', ids);
      await this.snippets.deleteMany({ _id: { $in: ids } });
    }
  }
}
