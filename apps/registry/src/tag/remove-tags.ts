import { eachConcurrently } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { type Manifest, RegistryClient } from '../registry-client/registry-client';
import { tombstoneOf } from '../registry-client/tombstone';
import type { PlannedTag } from './tag.repository';

type Removable = Pick<PlannedTag, 'name'> & Partial<PlannedTag>;

/** Requests for one removal that are under way at the same time. */
const atOnce = 8;
const mostTurns = 3;

/** Tags that are removed at once. */
export const mostTogether = 1000;

/**
 * How many tags of so many are to be removed at once. Until a removal ends they show no image; at its end the registry
 * reads all tags of the repository, so that many are removed in some twenty times.
 */
export const removalSize = (count: number): number => Math.min(Math.max(Math.ceil(count / 20), 200), mostTogether);

/** Takes tags off images in the registry, which itself can only delete a manifest with all its tags. */
@Injectable()
export class RemoveTags {
  constructor(private readonly client: RegistryClient) {}

  /**
   * Killed at any line, it is done again with the same id.
   * @param planned a tag with a digest is left alone when it is of another manifest by now
   * @param id names the removal; two at once have two
   * @returns those that were removed @throws container_registry.unreachable
   */
  async remove<T extends Removable>(path: string, planned: readonly T[], id: string): Promise<T[]> {
    const tombstone = tombstoneOf(id);
    const removed: T[] = [];
    await eachConcurrently(planned, atOnce, async (tag) => {
      if (await this.isOfAnother(path, tag, tombstone.digest)) return;
      await this.client.putManifest(path, tag.name, tombstone);
      removed.push(tag);
    });
    if (removed.length > 0) await this.bury(path, removed, tombstone);
    return removed;
  }

  /**
   * Where somebody else has deleted the tombstone, some of its tags may have come to it after that. And where a tag is
   * cut off, the registry deletes no manifest of the repository: what such a tag was of is lost, so it goes as well.
   */
  private async bury(path: string, tags: readonly { name: string }[], tombstone: Manifest): Promise<void> {
    const names = new Set(tags.map(({ name }) => name));
    for (let turn = 1; !(await this.client.deleteManifest(path, tombstone.digest)); turn++) {
      if (turn === mostTurns) throw new Error(`tags of ${path} cannot be deleted`);
      for (const name of await this.cutOff(path)) names.add(name);
      for (const name of names) await this.client.putManifest(path, name, tombstone);
    }
  }

  private async cutOff(path: string): Promise<string[]> {
    const found: string[] = [];
    const look = async (name: string) => {
      if (!(await this.client.digestOf(path, name))) found.push(name);
    };
    await eachConcurrently(await this.client.tagNames(path), atOnce, look);
    return found;
  }

  private async isOfAnother(path: string, { name, digest }: Removable, tombstone: string): Promise<boolean> {
    if (digest === undefined) return false;
    const current = await this.client.digestOf(path, name);
    // Without a manifest it is gone, or its removal was cut off after that of its manifest.
    return current !== undefined && current !== digest && current !== tombstone;
  }
}
