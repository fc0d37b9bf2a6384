import { z } from 'zod';
import { atLeastOneOf, del, get, id, operation, page, projectRef, time } from '../operation';
import { cleansImages, pushesImages, readsImages } from './access';
import { namePattern } from './name-pattern';

/** A tag in lists. See docs/api/registry.md#4. */
export const RegistryTag = z.object({
  name: z.string(),
  path: z.string(),
  location: z.string().describe('As clients of images write it'),
});

/** One tag with the details of its image. */
export const RegistryTagDetail = RegistryTag.extend({
  digest: z.string().describe('Of the manifest'),
  revision: z.string().describe('Digest of the configuration, without its algorithm'),
  short_revision: z.string(),
  created_at: time.nullable(),
  total_size: z.int().describe('Bytes of all layers'),
});

const repository = { ...projectRef, repository_id: id };
const tag = { ...repository, tag_name: z.string() };

export const listRegistryTags = operation({
  name: 'registry.tags.list',
  summary: 'Tags of a repository of images, by name',
  refusals: ['container_registry.repository_not_found', 'container_registry.not_set_up'],
  http: get('/projects/:id/registry/repositories/:repository_id/tags'),
  access: readsImages,
  input: z.object(repository),
  output: page(RegistryTag),
});

export const getRegistryTag = operation({
  name: 'registry.tags.get',
  summary: 'One tag with what its image says',
  refusals: [
    'container_registry.repository_not_found',
    'container_registry.tag_not_found',
    'container_registry.not_set_up',
    'container_registry.unreachable',
  ],
  http: get('/projects/:id/registry/repositories/:repository_id/tags/:tag_name'),
  access: readsImages,
  input: z.object(tag),
  output: RegistryTagDetail,
});

/** See docs/api/registry.md#5. */
export const deleteRegistryTag = operation({
  name: 'registry.tags.delete',
  summary: 'Delete a tag of an image',
  description: 'The name only: other tags of the same image stay.',
  refusals: [
    'container_registry.repository_not_found',
    'container_registry.tag_not_found',
    'container_registry.not_set_up',
    'container_registry.unreachable',
    'registry_protection.deletion_refused',
  ],
  http: del('/projects/:id/registry/repositories/:repository_id/tags/:tag_name', { success: 200 }),
  access: pushesImages,
  input: z.object(tag),
  output: z.object({ message: z.string() }),
});

const pattern = namePattern(1000);

/** See docs/api/registry.md#6. */
export const deleteRegistryTags = operation({
  name: 'registry.tags.delete-in-bulk',
  summary: 'Delete tags of images by rules',
  description:
    'Runs in the background. It considers tags, except `latest`, whose whole name matches `name_regex_delete` and not `name_regex_keep`. The newest `keep_n` stay; the others are deleted if they are older than `older_than`. Patterns have the syntax of RE2; an invalid one is refused, and `error_description` has the reason. Tags that a protection rule denies to the caller stay. At most once an hour for a repository.',
  refusals: [
    'container_registry.repository_not_found',
    'container_registry.deleted_lately',
    'container_registry.not_set_up',
    'registry_protection.deletion_refused',
  ],
  http: del('/projects/:id/registry/repositories/:repository_id/tags', { success: 202 }),
  access: cleansImages,
  input: z
    .object({
      ...repository,
      name_regex_delete: pattern.optional().describe('Which names to delete; `.*` is all'),
      name_regex: pattern.optional().describe('Deprecated; the same as `name_regex_delete`, which wins'),
      name_regex_keep: pattern.optional().describe('Pattern of names that are never deleted'),
      keep_n: z.int().min(0).optional().describe('Number of newest matching tags that stay'),
      older_than: z.string().max(100).optional().describe('Only older ones, as `1h`, `1d`, `1month`'),
    })
    .refine(...atLeastOneOf('name_regex', 'name_regex_delete')),
  output: z.object({ message: z.string() }),
});
