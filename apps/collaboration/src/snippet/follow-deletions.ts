import { type EventData, type EventRecord, projectDeleted, snippetDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { RemoveActivity } from '../activity/remove-activity';
import type { SnippetDocument } from './snippet.schema';

const idsPerStep = 1000;

type Event<E> = EventRecord<EventData<E>>;

/** Removes or reassigns snippets when their project or author is deleted. */
@Injectable()
export class SnippetsFollowDeletions {
  constructor(
    @InjectModel('Snippet') private readonly snippets: Model<SnippetDocument>,
    private readonly activity: RemoveActivity,
  ) {}

  /** Repeats the removal after an interruption. */
  @OnEvent(snippetDeleted, 'SnippetsFollowDeletions-ofSnippet')
  async removeActivityOfSnippet({ data }: Event<typeof snippetDeleted>): Promise<void> {
    await this.activity.removeFrom('Snippet', [data.snippet_id]);
  }

  @OnEvent(projectDeleted, 'SnippetsFollowDeletions-ofProject')
  async removeOfProject({ data }: Event<typeof projectDeleted>): Promise<void> {
    await this.removeProject(data.project_id);
  }

  /** Also after a late write that the deletion missed. */
  async removeProject(projectId: number): Promise<void> {
    await this.removeAll({ projectId });
  }

  /** Personal snippets are removed with their author, others are assigned to the ghost user. */
  @OnEvent(userDeleted, 'SnippetsFollowDeletions-ofUser')
  async removeOrHandOver({ data }: Event<typeof userDeleted>): Promise<void> {
    const own = { authorId: data.user_id };
    await this.removeAll(data.hard_delete ? own : { ...own, projectId: null });
    await this.snippets.updateMany(own, { $set: { authorId: data.ghost_user_id } });
  }

  /** Related records first, so that a repeat after an interruption still finds them. */
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
