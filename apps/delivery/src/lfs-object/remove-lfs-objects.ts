import { eachAlone, Sweeps } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { LfsContents } from './lfs-content.repository';
import type { LfsContent } from './lfs-content.schema';
import { LfsObjects } from './lfs-object.repository';

/** Who still sends has said so within a minute. */
const silentMs = 15 * 60_000;

/*
 * Several projects have the same bytes, and no write changes two documents at once. Who comes to have bytes notes that first
 * and then holds them (`turns` grows); who removes them looks at `turns`, then whether anybody has them, and begins only if
 * `turns` is what it was. So either the one fails or the other. Who leaves bytes says so first in the own record, then
 * makes them suspect, then goes: a suspect is cleared only by who is found to stay.
 */
@Injectable()
export class RemoveLfsObjects {
  constructor(
    private readonly objects: LfsObjects,
    private readonly contents: LfsContents,
  ) {}

  /** From now on the project has none. Bytes that nobody else has are removed by the sweep. May run twice. */
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

  @Sweeps('objects of Git LFS', { everySeconds: 60 })
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
