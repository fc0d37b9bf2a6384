import { Injectable } from '@nestjs/common';
import { type ImageFacts, ImageReader } from '../registry-client/image-reader';
import { RegistryClient } from '../registry-client/registry-client';
import { isTombstone } from '../registry-client/tombstone';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { Tags } from './tag.repository';
import type { Tag } from './tag.schema';

interface Seen {
  /** Absent when there is no such tag. */
  tag?: Tag | undefined;
  /** What stands there, though it be no tag: what is left of a deletion. */
  digest?: string | undefined;
}

/**
 * Asks the registry what a tag is, and keeps that. Whatever tells of a change (a notification, a list) is only a reason to
 * look: what is told late, twice or out of order does no harm then.
 */
@Injectable()
export class LookAtTag {
  constructor(
    private readonly client: RegistryClient,
    private readonly images: ImageReader,
    private readonly tags: Tags,
  ) {}

  /** @throws container_registry.unreachable */
  async look({ _id: repositoryId, path }: Pick<ContainerRepository, '_id' | 'path'>, name: string): Promise<Seen> {
    const seenAt = new Date();
    const digest = await this.client.digestOf(path, name);
    const facts = digest && (await this.factsOf(repositoryId, path, digest));
    if (!facts) {
      await this.tags.forget(repositoryId, name, seenAt);
      return { digest };
    }
    const tag: Tag = { repositoryId, name, digest, ...facts, seenAt };
    await this.tags.keep(tag);
    return { tag, digest };
  }

  /** @returns undefined for what is not there, and for what stands in the place of a tag that is being deleted */
  private async factsOf(repositoryId: number, path: string, digest: string): Promise<KeptFacts | undefined> {
    const known = await this.tags.findByDigest(repositoryId, digest);
    if (known) return keptFacts({ ...known, createdAt: known.imageCreatedAt });
    const manifest = await this.client.manifest(path, digest);
    return manifest && !isTombstone(manifest) ? keptFacts(await this.images.read(path, manifest)) : undefined;
  }
}

type KeptFacts = Pick<Tag, 'revision' | 'imageCreatedAt' | 'totalSize'>;

const keptFacts = ({ revision, createdAt, totalSize }: ImageFacts): KeptFacts => ({
  revision,
  imageCreatedAt: createdAt,
  totalSize,
});
