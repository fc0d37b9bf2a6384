import { randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type ContextOf,
  commonErrors,
  type ParsedOf,
  type RegistryEvent,
  takeRegistryEvents,
} from '@moothall/contracts';
import { Jobs } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { isImageName } from '../image-name/image-name';
import { ownSubject, RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { RegistrySettings } from '../settings/settings';
import { Tags } from '../tag/tag.repository';
import { type Push, pushes } from './follow-pushes';

/**
 * Receives notifications of pushes and deletions. The registry sends them one at a time and repeats each until it is
 * acknowledged, so the work is queued.
 */
@Controller()
export class TakeRegistryEvents {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly tags: Tags,
    private readonly jobs: Jobs,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @Handles(takeRegistryEvents)
  async handle(_context: ContextOf<typeof takeRegistryEvents>, input: ParsedOf<typeof takeRegistryEvents>) {
    this.client.requireSetUp();
    if (!this.isRegistry(input.secret)) throw commonErrors.unauthorized();
    const events = input.events.filter(concernsUs);
    const pushed = events.flatMap((event) => pushOf(event) ?? []);
    if (pushed.length > 0) await this.jobs.addAll(pushes, pushed);
    for (const { action, target } of events)
      if (action === 'delete' && target?.digest) await this.takeDeletion(target.repository ?? '', target.digest);
    return { message: '200 OK' };
  }

  private isRegistry(given = ''): boolean {
    const secret = this.settings.REGISTRY_NOTIFICATION_SECRET;
    return secret !== undefined && given.length === secret.length && isSame(given, secret);
  }

  /** A manifest may have any number of tags: the periodic job finds them. */
  private async takeDeletion(path: string, digest: string): Promise<void> {
    const repository = await this.repositories.findByPath(path);
    if (repository && (await this.tags.findByDigest(repository._id, digest)))
      await this.repositories.noteReconciled(repository._id, null);
  }
}

/** Skips notifications of this service's own requests. */
const concernsUs = ({ target, actor }: RegistryEvent): boolean =>
  target?.repository !== undefined && isImageName(target.repository) && actor?.name !== ownSubject;

/** @returns undefined unless it is a push of a tag */
function pushOf({ id = randomUUID(), action, target = {}, timestamp = '' }: RegistryEvent) {
  const { repository: path, tag: name, digest = '' } = target;
  if (action !== 'push' || path === undefined || name === undefined) return undefined;
  const data: Push = { path, name, digest, pushedAt: timestamp };
  // A repeated notification has the same job id.
  return { id: `push-${id}`, data };
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
