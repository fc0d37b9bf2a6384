import { Injectable } from '@nestjs/common';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { LookAtTag } from './look-at-tag';
import { Tags } from './tag.repository';
import type { Tag } from './tag.schema';

/** Valid names of tags. Source: OCI distribution specification, "Pulling manifests". */
const tagName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** Reads one tag by name. */
@Injectable()
export class KnownTag {
  constructor(
    private readonly tags: Tags,
    private readonly lookAt: LookAtTag,
  ) {}

  /** Also finds a tag that was just pushed, before its notification arrives. */
  async find(repository: ContainerRepository, name: string): Promise<Tag | undefined> {
    if (!tagName.test(name)) return undefined;
    return (await this.tags.find(repository._id, name)) ?? (await this.lookAt.look(repository, name)).tag;
  }
}
