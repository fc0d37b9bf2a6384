import type { getRegistryTag, listRegistryTags, OutputOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { RegistryClient } from '../registry-client/registry-client';
import type { Tag } from './tag.schema';

const shortRevisionLength = 9;

/** API views of tags. See docs/api/registry.md#4. */
@Injectable()
export class TagViews {
  constructor(private readonly client: RegistryClient) {}

  summary(path: string, { name }: Pick<Tag, 'name'>): OutputOf<typeof listRegistryTags>['items'][number] {
    return { name, path: `${path}:${name}`, location: `${this.client.host}/${path}:${name}` };
  }

  detail(path: string, tag: Tag): OutputOf<typeof getRegistryTag> {
    return {
      ...this.summary(path, tag),
      revision: tag.revision,
      short_revision: tag.revision.slice(0, shortRevisionLength),
      digest: tag.digest,
      created_at: tag.imageCreatedAt && timeOf(tag.imageCreatedAt),
      total_size: tag.totalSize,
    };
  }
}

/** A time format that only this resource has. */
const timeOf = (time: Date): string => time.toISOString().replace('Z', '+00:00');
