import {
  copiedRefsChanged,
  type EventRecord,
  pushReceived,
  repositoryPushed,
  repositoryUpdated,
  wikiPageChanged,
} from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { RefUpdate } from '../git/refs/refs';
import { MaintainRepositories } from '../maintenance/maintain-repositories';
import { DefaultProtection } from '../protection/protect-default';
import { Repositories } from '../record/repository.repository';
import { stateOf } from '../record/repository-state';
import { type Located, Storages } from '../storage/storages';
import { wikiChangesOf } from '../wiki-pages/wiki-changes';
import { factsOf } from './push-facts';
import type { UnfinishedPush } from './unfinished-push.schema';

const noObject = '0'.repeat(40);

/** The push to publish, its repository, and when it happened. */
interface Publishing {
  intent: UnfinishedPush;
  located: Located;
  at: Date;
}

/** Handles moved refs: protects a new default branch, publishes events, counts. Idempotent. */
@Injectable()
export class PushPublisher {
  constructor(
    private readonly publisher: EventPublisher,
    private readonly storages: Storages,
    private readonly protection: DefaultProtection,
    private readonly maintenance: MaintainRepositories,
    private readonly repositories: Repositories,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  /**
   * @param updates of the write-ahead record, in its order; null for those that did not happen
   * @param at the time of the push, so that a late event does not count as newer than later changes
   */
  async announce(intent: UnfinishedPush, updates: readonly (RefUpdate | null)[], at: Date): Promise<void> {
    const located = this.storages.locate({ id: intent.projectId, storage: intent.storage }, intent.kind);
    const publishing = { intent, located, at };
    const moved = updates.filter((update) => update !== null);
    const adopted = await located.engine.branches.adoptDefault(located.path, moved);
    if (intent.kind === 'wiki') return this.publishWiki(publishing, updates, moved.length > 0);
    if (adopted) await this.protection.protect(intent.projectId, adopted);
    const state = await stateOf(located);
    for (const [index, update] of updates.entries()) {
      if (update) await this.publishRef(publishing, index, update, state);
    }
    if (moved.length > 0) await this.publishUpdate(publishing, moved);
    await this.maintenance.countPush(intent);
  }

  private async publishRef(
    { intent, located, at }: Publishing,
    index: number,
    update: RefUpdate,
    state: Awaited<ReturnType<typeof stateOf>>,
  ): Promise<void> {
    const common = { project_id: intent.projectId, ...moveOf(update) };
    const pushed = newEvent(repositoryPushed, { ...common, user_id: intent.pusher?.id ?? null, ...state });
    await this.publish(pushed, `${intent._id}-${index}`, at);
    const facts = await factsOf(located, update, `${this.settings.EXTERNAL_URL}/${intent.fullPath}`);
    const received = newEvent(pushReceived, {
      ...common,
      user: intent.pusher,
      default_branch: state.default_branch,
      ...facts,
    });
    await this.publish(received, `${intent._id}-${index}-facts`, at);
  }

  private async publishUpdate({ intent, at }: Publishing, moved: readonly RefUpdate[]): Promise<void> {
    const { _id, projectId, pusher, options = [] } = intent;
    const changes = moved.map(moveOf);
    const event = newEvent(repositoryUpdated, {
      project_id: projectId,
      user: pusher,
      changes,
      push_options: options,
    });
    await this.publish(event, `${_id}-refs`, at);
  }

  /** Wiki pages come from the default branch only. */
  private async publishWiki(
    { intent, located, at }: Publishing,
    updates: readonly (RefUpdate | null)[],
    haveMoved: boolean,
  ): Promise<void> {
    if (haveMoved) {
      await this.repositories.noteWiki(intent.projectId);
      const event = newEvent(copiedRefsChanged, { project_id: intent.projectId, kind: 'wiki' });
      await this.publish(event, `${intent._id}-copied`, at);
    }
    const branch = await located.engine.storage.defaultBranch(located.path);
    const update = updates.find((one) => branch !== null && one?.refName === `refs/heads/${branch}`);
    if (!update?.after) return;
    const changes = await wikiChangesOf(located, update.before, update.after);
    for (const [index, change] of changes.entries()) {
      const event = newEvent(wikiPageChanged, { project_id: intent.projectId, user: intent.pusher, ...change });
      await this.publish(event, `${intent._id}-page-${index}`, at);
    }
  }

  private publish(event: EventRecord, id: string, at: Date): Promise<void> {
    return this.publisher.publish({ ...event, id, occurredAt: at.toISOString() });
  }
}

const moveOf = ({ refName: ref, before, after }: RefUpdate) => ({
  ref,
  before: before ?? noObject,
  after: after ?? noObject,
});
