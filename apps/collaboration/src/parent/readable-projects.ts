import { expiresAfter } from '@moothall/background';
import {
  Access,
  type AccessLevel,
  type Caller,
  callerInput,
  type Feature,
  isFeatureOpen,
  type OutputOf,
  readableProjects,
} from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';
import { readsCode, readsMergeRequests } from './reads-code';

type Readable = OutputOf<typeof readableProjects>[number];

const keptAnswers = 500;
const keptForMs = 5_000;
const projectsPerCall = 10_000;

const readers = { code: readsCode, merge_requests: readsMergeRequests };

interface Where {
  /** For several, one enabled feature is enough. */
  feature: Feature | readonly Feature[];
  /** Content that needs more than reading a project: in private ones reporter, or an ability. */
  shows?: keyof typeof readers | undefined;
  /** Only this group and its subgroups. */
  groupId?: number | undefined;
  withArchived: boolean;
}

/** Scope of a caller in lists across projects. */
export interface ReadableScope {
  /** The projects; absent if all are readable except `hidden`. */
  ids?: number[];
  hidden: number[];
  /** Those of `ids` in which the caller is a reporter or above and may see confidential records. */
  trustedIds: number[];
  /** Those of `ids` in which the caller is a member. */
  memberIds: number[];
}

/** Projects that a caller may read; cached for seconds and invalidated when a project or membership changes. */
@Injectable()
export class ReadableProjects implements OnApplicationShutdown {
  private readonly kept = new LRUCache<string, Promise<ReadableScope>>({
    max: keptAnswers,
    ...expiresAfter(keptForMs),
  });
  private readonly stopListening: () => void;

  constructor(
    private readonly client: OperationClient,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    const forget = () => this.kept.clear();
    this.stopListening = listen(
      connection,
      ['projects.project.>', 'projects.group.>', 'projects.member.>'],
      forget,
      forget,
    );
  }

  findScope(caller: Caller | undefined, where: Where): Promise<ReadableScope> {
    const key = JSON.stringify([caller?.id, caller?.isAdmin, where]);
    const known = this.kept.get(key);
    if (known) return known;
    const scope = this.workOut(caller, where);
    scope.catch(() => this.kept.delete(key));
    this.kept.set(key, scope);
    return scope;
  }

  private async workOut(caller: Caller | undefined, where: Where): Promise<ReadableScope> {
    const { feature, shows, groupId, withArchived } = where;
    const current = await this.fetch(caller, groupId, withArchived);
    const features = [feature].flat();
    const open = current.filter(
      (project) => features.some((one) => isFeatureOpen(project, one)) && (!shows || readers[shows](project)),
    );
    if (caller?.isAdmin && groupId === undefined) return this.everythingBut(caller, open);
    const idsFrom = (level: AccessLevel) => open.filter(({ accessLevel }) => accessLevel >= level).map(({ id }) => id);
    return {
      ids: idsFrom(Access.None),
      hidden: [],
      trustedIds: idsFrom(Access.Reporter),
      memberIds: idsFrom(Access.Guest),
    };
  }

  /** Administrators read all projects: a short list of exceptions costs less than a list of all others. */
  private async everythingBut(caller: Caller, open: Readable[]): Promise<ReadableScope> {
    const shown = new Set(open.map(({ id }) => id));
    const all = await this.fetch(caller, undefined, true);
    return { hidden: all.filter(({ id }) => !shown.has(id)).map(({ id }) => id), trustedIds: [], memberIds: [] };
  }

  private async fetch(caller: Caller | undefined, groupId: number | undefined, withArchived: boolean) {
    const all: Readable[] = [];
    for (;;) {
      const some = await this.client.call(readableProjects, {
        ...callerInput(caller),
        group_id: groupId,
        include_archived: withArchived,
        after_id: all.at(-1)?.id ?? 0,
        limit: projectsPerCall,
      });
      all.push(...some);
      if (some.length < projectsPerCall) return all;
    }
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
