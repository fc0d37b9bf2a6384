import { z } from 'zod';
import { anyone, del, get, groupRef, id, onGroup, operation, page, projectRef, time } from '../operation';
import { cleansImages, readsImages } from './access';
import { RegistryTag } from './tag';

/** A repository of images. See docs/api/registry.md#1. */
export const RegistryRepository = z.object({
  id,
  name: z.string().describe('What comes after the path of the project; often empty'),
  path: z.string(),
  project_id: id,
  location: z.string().describe('As clients of images write it'),
  created_at: time,
  cleanup_policy_started_at: time.nullable(),
  status: z.enum(['delete_scheduled']).nullable(),
  tags_count: z.int().optional().describe('Where asked for'),
  tags: z.array(RegistryTag).optional().describe('Where asked for; the first thousand by name'),
});

const withTags = {
  tags: z.boolean().default(false).describe('With the tags, a thousand at most'),
  tags_count: z.boolean().default(false).describe('With how many tags there are'),
};
const filter = { ...withTags, name: z.string().optional().describe('Only repositories whose path contains this text') };

export const listProjectRegistryRepositories = operation({
  name: 'registry.repositories.list-of-project',
  summary: 'Repositories of images in a project',
  refusals: ['container_registry.not_set_up'],
  http: get('/projects/:id/registry/repositories'),
  access: readsImages,
  input: z.object({ ...projectRef, ...filter }),
  output: page(RegistryRepository),
});

export const listGroupRegistryRepositories = operation({
  name: 'registry.repositories.list-of-group',
  summary: 'Repositories of images in a group and those below',
  description: 'Only of projects whose images the caller may see.',
  refusals: ['container_registry.not_set_up'],
  http: get('/groups/:id/registry/repositories'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, ...filter }),
  output: page(RegistryRepository),
});

export const getRegistryRepository = operation({
  name: 'registry.repositories.get',
  summary: 'One repository of images',
  description: 'Only of a project whose images the caller may see.',
  refusals: ['container_registry.repository_not_found', 'container_registry.not_set_up'],
  http: get('/registry/repositories/:repository_id'),
  access: anyone(),
  input: z.object({ repository_id: id, ...withTags }),
  output: RegistryRepository,
});

/** See docs/api/registry.md#3. */
export const deleteRegistryRepository = operation({
  name: 'registry.repositories.delete',
  summary: 'Delete a repository of images with all its tags',
  description: 'Done behind the answer; until then its `status` is `delete_scheduled`.',
  refusals: [
    'container_registry.repository_not_found',
    'container_registry.not_set_up',
    'registry_protection.deletion_refused',
  ],
  http: del('/projects/:id/registry/repositories/:repository_id', { success: 202 }),
  access: cleansImages,
  input: z.object({ ...projectRef, repository_id: id }),
  output: z.object({ message: z.string() }),
});
