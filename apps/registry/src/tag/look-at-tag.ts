import { Injectable } from '@nestjs/common';
import { type ImageFacts, ImageReader } from '../registry-client/image-reader';
import { type Manifest, RegistryClient } from '../registry-client/registry-client';
import { isTombstone } from '../registry-client/tombstone';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { Tags } from './tag.repository';
import type { Tag } from './tag.schema';

interface Seen {
  /** Absent if there is no such tag. */
  tag?: Tag | undefined;
  /** The digest in the registry, even if it is a tombstone of an interrupted deletion. */
  digest?: string | undefined;
}

/**
 * Reads a tag from the registry and stores it. A notification or a list only triggers the read, so late, repeated or
 * unordered ones are harmless.
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
    const manifest = await this.client.manifest(path, name);
    if (!manifest || isTombstone(manifest)) {
      await this.tags.forget(repositoryId, name, seenAt);
      return { digest: manifest?.digest };
    }
    const { digest } = manifest;
    const facts = await this.factsOf(repositoryId, path, manifest);
    const tag: Tag = { repositoryId, name, digest, ...facts, seenAt };
    await this.tags.keep(tag);
    return { tag, digest };
  }

  private async factsOf(repositoryId: number, path: string, manifest: Manifest): Promise<KeptFacts> {
    const known = await this.tags.findByDigest(repositoryId, manifest.digest);
    return keptFacts(known ? { ...known, createdAt: known.imageCreatedAt } : await this.images.read(path, manifest));
  }
}

type KeptFacts = Pick<Tag, 'revision' | 'imageCreatedAt' | 'totalSize'>;

const keptFacts = ({ revision, createdAt, totalSize }: ImageFacts): KeptFacts => ({
  revision,
  imageCreatedAt: createdAt,
  totalSize,
});
