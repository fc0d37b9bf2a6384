import { setTimeout as wait } from 'node:timers/promises';
import { jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { DeletionPages } from '../bulk-deletion/deletion-pages.repository';
import { RestoreTag } from '../bulk-deletion/restore-tag';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { claimOf, ImageProjects } from '../repository/image-projects';
import { LookAtTag } from '../tag/look-at-tag';
import type { PlannedTag } from '../tag/tag.repository';

/** A pushed tag from a notification. */
export interface Push extends PlannedTag {
  path: string;
  pushedAt: string;
}

/**
 * Jobs may run in any order, since each one reads the current state. Retried for a quarter of an hour while the
 * registry is down.
 */
export const pushes = jobQueue<Push>({ name: 'registry.pushes', concurrency: 8, attempts: 10 });

/** Time to wait for a tag after the notification of its push. */
const soonMs = 2_000;
/** Maximum difference between the clocks of registry and service. */
const clocksMs = 5_000;
/** Maximum duration of a page of a bulk deletion. */
const pageMs = 3_600_000;

/** Reads tags that were pushed. */
@Injectable()
export class FollowPushes {
  constructor(
    private readonly repositories: ContainerRepositories,
    private readonly projects: ImageProjects,
    private readonly lookAt: LookAtTag,
    private readonly pages: DeletionPages,
    private readonly restore: RestoreTag,
  ) {}

  @WorksOn(pushes)
  async run({ path, name, digest, pushedAt }: Push): Promise<void> {
    const repository = (await this.repositories.findByPath(path)) ?? (await this.claim(path));
    if (!repository) return;
    const pushedMs = Date.parse(pushedAt);
    const tag = await this.lookUntil(repository, { name, digest }, pushedMs + soonMs);
    const isOfAnother = tag !== undefined && tag.digest !== digest;
    if (isOfAnother || Number.isNaN(pushedMs)) return;
    // Even if the tag was found: a deletion that ended between reading and storing it did not know of it.
    const begun = { from: new Date(pushedMs - pageMs), to: new Date(pushedMs + clocksMs) };
    const wasTaken = await this.pages.hasTaken(repository._id, { name, digest }, begun);
    if (wasTaken) await this.restore.restore(repository, { name, digest });
  }

  /**
   * The registry sends the notification before it writes the tag. @returns the current tag, with that image or another
   */
  private async lookUntil(repository: ContainerRepository, { name, digest }: PlannedTag, deadlineMs: number) {
    for (let pauseMs = 5; ; pauseMs *= 2) {
      const { tag } = await this.lookAt.look(repository, name);
      if (tag?.digest === digest || !(Date.now() < deadlineMs)) return tag;
      await wait(pauseMs);
    }
  }

  /**
   * Pushed with a token from before its repository was deleted: it belongs to the project with that path, like a new
   * one.
   */
  private async claim(path: string): Promise<ContainerRepository | undefined> {
    const project = await this.projects.at(path, undefined);
    return project && this.repositories.claim(claimOf(path, project));
  }
}
