import { pushReceived, repositoryPushed, repositoryUpdated, wikiPageChanged } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { RefUpdate } from '../git/refs/refs';
import { MaintainRepositories } from '../maintenance/maintain-repositories';
import { DefaultProtection } from '../protection/protect-default';
import { stateOf } from '../record/repository-state';
import { type Located, Storages } from '../storage/storages';
import { wikiChangesOf } from '../wiki-pages/wiki-changes';
import { factsOf } from './push-facts';
import type { PushIntent } from './push-intent.schema';

const noObject = '0'.repeat(40);

/** Does what follows from moved refs, and tells the others. Safe to repeat. */
@Injectable()
export class PushAnnouncer {
  constructor(
    private readonly publisher: EventPublisher,
    private readonly storages: Storages,
    private readonly protection: DefaultProtection,
    private readonly maintenance: MaintainRepositories,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  /** @param updates of the intent, in its order; null for those that did not happen */
  async announce(intent: PushIntent, updates: readonly (RefUpdate | null)[]): Promise<void> {
    const located = this.storages.locate({ id: intent.projectId, storage: intent.storage }, intent.kind);
    const moved = updates.filter((update) => update !== null);
    const adopted = await located.engine.branches.adoptDefault(located.path, moved);
    if (intent.kind === 'wiki') return this.announceWiki(intent, updates, located);
    if (adopted) await this.protection.protect(intent.projectId, adopted);
    const state = await stateOf(located);
    for (const [index, update] of updates.entries()) {
      if (update) await this.announceRef(intent, index, update, located, state);
    }
    if (moved.length > 0) await this.announceUpdate(intent, moved);
    await this.maintenance.countPush(intent);
  }

  private async announceRef(
    intent: PushIntent,
    index: number,
    update: RefUpdate,
    located: Located,
    state: Awaited<ReturnType<typeof stateOf>>,
  ): Promise<void> {
    const common = { project_id: intent.projectId, ...moveOf(update) };
    const pushed = newEvent(repositoryPushed, { ...common, user_id: intent.pusher?.id ?? null, ...state });
    await this.publisher.publish({ ...pushed, id: `${intent._id}-${index}` });
    const facts = await factsOf(located, update, `${this.settings.EXTERNAL_URL}/${intent.fullPath}`);
    const received = newEvent(pushReceived, {
      ...common,
      user: intent.pusher,
      default_branch: state.default_branch,
      ...facts,
    });
    await this.publisher.publish({ ...received, id: `${intent._id}-${index}-facts` });
  }

  private async announceUpdate(
    { _id, projectId, pusher, options = [] }: PushIntent,
    moved: readonly RefUpdate[],
  ): Promise<void> {
    const changes = moved.map(moveOf);
    const event = newEvent(repositoryUpdated, {
      project_id: projectId,
      user: pusher,
      changes,
      push_options: options,
    });
    await this.publisher.publish({ ...event, id: `${_id}-refs` });
  }

  /** Pages are of the default branch only. */
  private async announceWiki(
    intent: PushIntent,
    updates: readonly (RefUpdate | null)[],
    located: Located,
  ): Promise<void> {
    const shown = `refs/heads/${await located.engine.storage.defaultBranch(located.path)}`;
    const update = updates.find((one) => one?.refName === shown);
    if (!update?.after) return;
    const changes = await wikiChangesOf(located, update.before, update.after);
    for (const [index, change] of changes.entries()) {
      const event = newEvent(wikiPageChanged, { project_id: intent.projectId, user: intent.pusher, ...change });
      await this.publisher.publish({ ...event, id: `${intent._id}-page-${index}` });
    }
  }
}

const moveOf = ({ refName: ref, before, after }: RefUpdate) => ({
  ref,
  before: before ?? noObject,
  after: after ?? noObject,
});
