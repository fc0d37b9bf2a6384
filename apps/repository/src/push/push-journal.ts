import { AsyncLocalStorage } from 'node:async_hooks';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { type Caller, type ProjectRef, pushRuleErrors } from '@moothall/contracts';
import { Injectable, Logger } from '@nestjs/common';
import type { RefJournal, RefUpdate } from '../git/refs/refs';
import type { RepositoryKind } from '../git/storage/storage';
import { PushChecks } from '../push-check/push-checks';
import { type Located, Storages } from '../storage/storages';
import { PushPublisher } from './publish-push';
import { UnfinishedPushes } from './unfinished-push.repository';
import type { UnfinishedPush } from './unfinished-push.schema';

/** The caller and the repository of a move of refs. */
export interface PushOrigin {
  project: Pick<ProjectRef, 'id' | 'storage' | 'fullPath' | 'lfsEnabled'>;
  kind: RepositoryKind;
  caller: Caller | undefined;
}

/** The origin of the change that the current async context belongs to. */
const origins = new AsyncLocalStorage<PushOrigin>();

/** A git process that was running when its service was killed has ended by then. */
const givenUpAfterMs = 300_000;

/**
 * Publishes events for every move of branches and tags, whichever process dies: a write-ahead record is stored before
 * git moves anything, and removed once the events are published. Records found at start, or left because NATS did not
 * answer, are compared with the refs. The event ids are derived from the record, so subscribers recognise repeats.
 */
@Injectable()
export class PushJournal implements RefJournal {
  private readonly log = new Logger(PushJournal.name);
  /** Records of this process whose outcome is not known yet. */
  private readonly open = new Set<string>();

  constructor(
    private readonly intents: UnfinishedPushes,
    private readonly publisher: PushPublisher,
    private readonly storages: Storages,
    private readonly checks: PushChecks,
  ) {
    storages.journal = this;
  }

  /** Runs changes of a repository; the events of each moved ref name that caller. */
  async changeAs<T>(origin: PushOrigin, change: (located: Located) => Promise<T>): Promise<T> {
    return origins.run(origin, () => change(this.storages.locate(origin.project, origin.kind)));
  }

  /**
   * For changes by the engine. Outside of {@link changeAs} they are internal, and no events are published.
   * @throws push_rule.refused
   */
  async begin(_repository: string, updates: readonly RefUpdate[]): Promise<(haveMoved: boolean) => Promise<void>> {
    const origin = origins.getStore();
    if (!origin) return async () => undefined;
    if (origin.kind === 'code') await this.requireAllowed(origin, updates);
    const end = await this.expect(origin, updates);
    return (haveMoved) => end(haveMoved ? updates : []);
  }

  private async requireAllowed({ project, caller }: PushOrigin, updates: readonly RefUpdate[]): Promise<void> {
    const change = { project, caller, isByInterface: true };
    const [objection] = (await this.checks.objectionsToNames(change, updates)).values();
    const words = objection ?? (await this.checks.objectionToContent(change, updates));
    if (words !== undefined) throw pushRuleErrors.refused(words);
  }

  /**
   * For pushes, whose outcome git reports. @returns a function to call with the refs that moved, before the client gets
   * its answer
   */
  async expect(
    { project, kind, caller }: PushOrigin,
    updates: readonly RefUpdate[],
    options: readonly string[] = [],
  ): Promise<(moved: readonly RefUpdate[]) => Promise<void>> {
    await this.storages.requireHeld(project.storage);
    const intent = await this.intents.add({
      storage: project.storage,
      projectId: project.id,
      fullPath: project.fullPath,
      kind,
      pusher: caller ? { id: caller.id, username: caller.username, name: caller.name, email: caller.email } : null,
      updates: updates.filter(({ refName }) => /^refs\/(heads|tags)\//.test(refName)),
      options: [...options],
    });
    this.open.add(intent._id);
    return async (moved) => {
      try {
        await this.finish(intent, new Set(moved.map(({ refName }) => refName)), new Date());
      } catch (error) {
        // The push itself is done; the periodic job publishes its events later.
        this.log.warn(`a push to project ${project.id} has events that will be published later: ${error}`);
      } finally {
        this.open.delete(intent._id);
      }
    };
  }

  private async finish(intent: UnfinishedPush, moved: ReadonlySet<string>, at: Date): Promise<void> {
    const updates = intent.updates.map((update) => (moved.has(update.refName) ? update : null));
    if (moved.size > 0) await this.publisher.announce(intent, updates, at);
    await this.intents.remove(intent._id);
  }

  /** Publishes the events of moves that an earlier process, or this one while NATS was down, could not publish. */
  @PeriodicJob('untold pushes', { everySeconds: 10, byEach: true })
  async recover(signal?: AbortSignal): Promise<void> {
    await eachAlone(await this.intents.listOnStorages(this.storages.names), (intent) => this.settle(intent), signal);
  }

  private async settle(intent: UnfinishedPush): Promise<void> {
    if (this.open.has(intent._id)) return;
    const located = this.storages.locate({ id: intent.projectId, storage: intent.storage }, intent.kind);
    if (!(await located.engine.storage.exists(located.path))) return this.intents.remove(intent._id);
    const moved = new Set<string>();
    for (const update of intent.updates) {
      if (await hasMoved(located, update)) moved.add(update.refName);
    }
    if (moved.size === 0 && Date.now() - intent.createdAt.getTime() < givenUpAfterMs) return;
    await this.finish(intent, moved, intent.createdAt);
  }
}

/** The refs decide. A ref that moved again since was moved by this push, too, if the pushed object exists. */
async function hasMoved({ engine, path }: Located, { refName, before, after }: RefUpdate): Promise<boolean> {
  const present = (await engine.objects.readRef(path, refName))?.id ?? null;
  if (present === after) return true;
  if (present === before) return false;
  return after === null || (await engine.objects.info(path, after)) !== null;
}
