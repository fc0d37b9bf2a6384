import { expiresAfter } from '@moothall/background';
import {
  callerInput,
  type GroupRef,
  groupChanged,
  groupDeleted,
  groupRefs,
  type ProjectRef,
  projectChanged,
  projectDeleted,
  projectRefs,
} from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';

const kept = 20_000;
/** Bounds the effect of a lost event. */
const keptForMs = 60_000;
const idsPerCall = 1000;
const nobody = callerInput(undefined);
const dropping = [projectChanged.name, projectDeleted.name, groupChanged.name, groupDeleted.name];

/** Names of projects and groups, for views of records from many of them; never one request per row. */
@Injectable()
export class ParentDirectory implements OnApplicationShutdown {
  private readonly keptProjects = new LRUCache<number, ProjectRef>({ max: kept, ...expiresAfter(keptForMs) });
  private readonly keptGroups = new LRUCache<number, GroupRef>({ max: kept, ...expiresAfter(keptForMs) });
  private readonly stopListening: () => void;

  constructor(
    private readonly client: OperationClient,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    const forget = () => this.forget();
    this.stopListening = listen(connection, dropping, forget, forget);
  }

  /** By id, without the caller's access level. Unknown ones are left out. */
  findProjects(ids: Iterable<number>): Promise<Map<number, ProjectRef>> {
    return collect(this.keptProjects, ids, (missing) => this.client.call(projectRefs, { ids: missing, ...nobody }));
  }

  /** By id, without the caller's access level. Unknown ones are left out. */
  findGroups(ids: Iterable<number>): Promise<Map<number, GroupRef>> {
    return collect(this.keptGroups, ids, (missing) => this.client.call(groupRefs, { ids: missing, ...nobody }));
  }

  /** Uncached, with the user's access level. Unknown ones are left out. */
  readGroups(ids: number[], principal: ReturnType<typeof callerInput> = nobody): Promise<GroupRef[]> {
    return inSteps(ids, (some) => this.client.call(groupRefs, { ids: some, ...principal }));
  }

  /** A change of a group changes the paths of everything below it. */
  private forget(): void {
    this.keptProjects.clear();
    this.keptGroups.clear();
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}

async function collect<T extends { id: number }>(
  cache: LRUCache<number, T>,
  ids: Iterable<number>,
  ask: (ids: number[]) => Promise<T[]>,
): Promise<Map<number, T>> {
  const found = new Map<number, T>();
  const missing: number[] = [];
  for (const id of new Set(ids)) {
    const known = cache.get(id);
    if (known) found.set(id, known);
    else missing.push(id);
  }
  for (const parent of await inSteps(missing, ask)) {
    cache.set(parent.id, parent);
    found.set(parent.id, parent);
  }
  return found;
}

/** Splits ids into calls of the allowed size. */
async function inSteps<T>(ids: number[], ask: (ids: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += idsPerCall) found.push(...(await ask(ids.slice(at, at + idsPerCall))));
  return found;
}
