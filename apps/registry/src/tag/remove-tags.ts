import { eachConcurrently } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { type Manifest, RegistryClient } from '../registry-client/registry-client';
import { tombstoneOf } from '../registry-client/tombstone';
import type { PlannedTag } from './tag.repository';

type Removable = Pick<PlannedTag, 'name'> & Partial<PlannedTag>;

/** Concurrent requests of one removal. */
const atOnce = 8;
const mostTurns = 3;

/** Limit of tags in one removal. */
export const mostTogether = 1000;

/**
 * Number of tags that are removed together. During a removal they point to no image, and at its end the registry reads
 * all tags of the repository, so a large number is split into about twenty removals.
 */
export const removalSize = (count: number): number => Math.min(Math.max(Math.ceil(count / 20), 200), mostTogether);

/** Removes tags from images in the registry, which itself can only delete a manifest with all its tags. */
@Injectable()
export class RemoveTags {
  constructor(private readonly client: RegistryClient) {}

  /**
   * After a crash at any line, it is repeated with the same id.
   * @param planned a tag with a digest is skipped if it points to another manifest by now
   * @param id of the removal; concurrent ones need different ids
   * @returns the removed tags @throws container_registry.unreachable
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
   * If another client deleted the tombstone, some tags may have been pointed to it after that. And if a tag is
   * incomplete, the registry deletes no manifest of the repository: the image of such a tag is unknown, so the tag is
   * removed as well.
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
    // Without a manifest it is deleted, or its removal was interrupted after that of its manifest.
    return current !== undefined && current !== digest && current !== tombstone;
  }
}
