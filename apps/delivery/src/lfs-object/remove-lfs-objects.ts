import { eachAlone, PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { LfsContents } from './lfs-content.repository';
import type { LfsContent } from './lfs-content.schema';
import { LfsObjects } from './lfs-object.repository';

/** A running upload reports within a minute. */
const silentMs = 15 * 60_000;

/*
 * Several projects share a content, and no write changes two documents. A project that starts to refer to a content
 * first stores the reference and then increments `turns`; a removal reads `turns`, then checks for references, and
 * starts only if `turns` is unchanged. So one of the two fails. A project that stops referring to contents records that
 * first, then marks them as suspect, then removes the references: only a check that finds a reference clears the mark.
 */
@Injectable()
export class RemoveLfsObjects {
  constructor(
    private readonly objects: LfsObjects,
    private readonly contents: LfsContents,
  ) {}

  /** From now on the project has no objects. The periodic job deletes unused contents. Idempotent. */
  async ofProject(projectId: number): Promise<void> {
    await this.objects.beginLeaving(projectId);
    for await (const some of this.objects.leaving(projectId)) {
      await this.contents.suspect(some.map(({ contentId }) => contentId));
      await this.objects.take(
        projectId,
        some.map(({ oid }) => oid),
      );
    }
  }

  @PeriodicJob('objects of Git LFS', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    await eachAlone(this.contents.suspects(), (content) => this.judge(content), signal);
    const leftovers = await this.contents.leftovers(silentMs);
    await eachAlone(leftovers, (content) => this.end(content), signal);
  }

  private async judge(content: LfsContent): Promise<void> {
    if (await this.objects.isAnybodys(content._id)) await this.contents.clear(content);
    else if (await this.contents.beginRemoval(content)) await this.remove(content);
  }

  private async end(content: LfsContent): Promise<void> {
    if (await this.contents.markLeftover(content)) await this.remove(content);
  }

  private async remove(content: LfsContent): Promise<void> {
    await this.objects.forgetContent(content._id);
    await this.contents.erase(content);
  }
}
