import { z } from 'zod';
import { administrator, get, id, internal, nodeScope, nothing, operation } from '../operation';
import { GeoProject } from './feed';

/* Images that a secondary copies from registry to registry. See docs/api/geo-replication.md#7. */

export const imageKind = 'container_repositories';

const path = z.string().max(400).describe('Name of the image in the registry');

export const CopiedImage = z.object({
  id,
  path,
  project_id: id,
  version: z.int().describe('Another whenever its tags changed'),
});
export type CopiedImage = z.infer<typeof CopiedImage>;

const most = 1000;
const registryUrl = z.string().nullable().describe('URL of the registry; null if there is none');

/** Repositories with images, by ascending id. */
export const listCopiedImages = operation({
  name: 'registry.copied-images.list',
  access: internal(),
  isRead: true,
  input: z.object({ id_after: z.int().min(0).default(0), limit: z.int().min(1).max(most).default(100) }),
  output: z.object({ images: z.array(CopiedImage), registry_url: registryUrl }),
});

/**
 * Credentials for writing copies of an image to the registry of this site. @throws container_registry.not_set_up,
 * geo.own_file
 */
export const openImageCopy = operation({
  name: 'registry.copied-images.open',
  access: internal(),
  input: z.object({ path }),
  output: z.object({ registry_url: z.string(), token: z.string().describe('Good for five minutes') }),
});

/**
 * Deletes tags of the copy of an image; all of them if none are named. @throws container_registry.not_set_up,
 * geo.own_file
 */
export const removeImageCopy = operation({
  name: 'registry.copied-images.remove',
  access: internal(),
  input: z.object({ path, names: z.array(z.string()).optional() }),
  output: nothing(),
  timeoutSeconds: 300,
});

export const listGeoImages = operation({
  name: 'geo.geo-images.list',
  summary: 'Repositories of images that a secondary may copy, by ascending id',
  description:
    'An answer with fewer than `limit` images is the last one. Their content comes from the registry, with a token of `/jwt/auth`.',
  refusals: ['common.forbidden on a secondary'],
  http: [get('/geo/images')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    id_after: z.int().min(0).default(0).describe('Only ids above this one: that of the last before'),
    limit: z.int().min(1).max(most).default(100).describe('Repositories in an answer, at most'),
  }),
  output: z.object({
    images: z.array(CopiedImage),
    projects: z.array(GeoProject).describe('Those that they are of, each once, as they are now'),
    registry_url: registryUrl,
  }),
});
