import { timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ContextOf,
  commonErrors,
  type ParsedOf,
  type RegistryEvent,
  takeRegistryEvents,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { DeletionPages } from '../bulk-deletion/deletion-pages.repository';
import { RestoreTag } from '../bulk-deletion/restore-tag';
import { isImageName } from '../image-name/image-name';
import { ownSubject, RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { claimOf, ImageProjects } from '../repository/image-projects';
import type { RegistrySettings } from '../settings/settings';
import { LookAtTag } from '../tag/look-at-tag';
import { type PlannedTag, Tags } from '../tag/tag.repository';

/** So long after a push its tag is waited for. */
const soonMs = 2_000;
/** Clocks of registry and service agree within that. */
const clocksMs = 5_000;
/** A page of a deletion in bulk takes no longer. */
const pageMs = 3_600_000;

/** Hears from the registry what was pushed and deleted. It tells that again until it is answered. */
@Controller()
export class TakeRegistryEvents {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly projects: ImageProjects,
    private readonly tags: Tags,
    private readonly lookAt: LookAtTag,
    private readonly pages: DeletionPages,
    private readonly restore: RestoreTag,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @Handles(takeRegistryEvents)
  async handle(_context: ContextOf<typeof takeRegistryEvents>, input: ParsedOf<typeof takeRegistryEvents>) {
    this.client.requireSetUp();
    if (!this.isRegistry(input.secret)) throw commonErrors.unauthorized();
    for (const event of input.events) await this.take(event);
    return { message: '200 OK' };
  }

  private isRegistry(given = ''): boolean {
    const secret = this.settings.REGISTRY_NOTIFICATION_SECRET;
    return secret !== undefined && given.length === secret.length && isSame(given, secret);
  }

  private async take({ action, target = {}, timestamp, actor }: RegistryEvent): Promise<void> {
    const { repository: path, tag, digest } = target;
    // What this service does there it knows.
    if (path === undefined || !isImageName(path) || actor?.name === ownSubject) return;
    if (action === 'push' && tag !== undefined) return this.takePush(path, tag, digest, timestamp);
    if (action === 'delete' && digest !== undefined) return this.takeDeletion(path, digest);
  }

  private async takePush(path: string, name: string, digest = '', timestamp = ''): Promise<void> {
    const repository = (await this.repositories.findByPath(path)) ?? (await this.claim(path));
    if (!repository) return;
    const pushedMs = Date.parse(timestamp);
    const tag = await this.lookUntil(repository, { name, digest }, pushedMs + soonMs);
    if (tag || Number.isNaN(pushedMs)) return;
    const begun = { from: new Date(pushedMs - pageMs), to: new Date(pushedMs + clocksMs) };
    const wasTaken = await this.pages.hasTaken(repository._id, { name, digest }, begun);
    if (wasTaken) await this.restore.restore(repository, { name, digest });
  }

  /** The registry tells of a push before it writes the tag. @returns what the tag is, be it of that image or of another */
  private async lookUntil(repository: ContainerRepository, { name, digest }: PlannedTag, deadlineMs: number) {
    for (let pauseMs = 5; ; pauseMs *= 2) {
      const { tag } = await this.lookAt.look(repository, name);
      if (tag?.digest === digest || !(Date.now() < deadlineMs)) return tag;
      await wait(pauseMs);
    }
  }

  /** Pushed with a token from before its repository was deleted: as with a new one, it is of the project at that path. */
  private async claim(path: string): Promise<ContainerRepository | undefined> {
    const project = await this.projects.at(path, undefined);
    return project && this.repositories.claim(claimOf(path, project));
  }

  /** There may be as many tags of it as there are at all: the sweep looks at them. */
  private async takeDeletion(path: string, digest: string): Promise<void> {
    const repository = await this.repositories.findByPath(path);
    if (repository && (await this.tags.findByDigest(repository._id, digest)))
      await this.repositories.noteReconciled(repository._id, null);
  }
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
