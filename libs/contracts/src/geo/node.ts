import { z } from 'zod';
import {
  administrator,
  commaList,
  del,
  get,
  id,
  nodeScope,
  nothing,
  operation,
  page,
  post,
  put,
  type Route,
  text,
} from '../operation';

/** A site that has the records of this server, or copies them. See docs/api/geo.md#1. */
export const GeoNode = z.object({
  id,
  name: z.string(),
  url: z.string(),
  internal_url: z.string().describe('Where other nodes reach it; `url` unless given'),
  primary: z.boolean(),
  enabled: z.boolean(),
  current: z.boolean().describe('It is the site that answers'),
  files_max_capacity: z.int(),
  repos_max_capacity: z.int(),
  verification_max_capacity: z.int(),
  container_repositories_max_capacity: z.int(),
  selective_sync_type: z.enum(['namespaces', 'shards']).nullable(),
  selective_sync_shards: z.array(z.string()),
  selective_sync_namespace_ids: z.array(z.int()),
  minimum_reverification_interval: z.int().describe('In days'),
  sync_object_storage: z.boolean(),
  clone_protocol: z.string(),
  web_edit_url: z.string(),
  web_geo_projects_url: z.string().optional().describe('Of secondary nodes'),
  _links: z.object({ self: z.string(), status: z.string(), repair: z.string() }),
});
export type GeoNode = z.infer<typeof GeoNode>;

/** The credentials of a secondary for the primary. */
const NodeWithCredentials = GeoNode.extend({
  oauth_application: z
    .object({ application_id: z.string(), secret: z.string() })
    .optional()
    .describe('Credential of the secondary at its primary; shown only in this answer'),
});

const geoCapacities = [
  'files_max_capacity',
  'repos_max_capacity',
  'verification_max_capacity',
  'container_repositories_max_capacity',
  'minimum_reverification_interval',
] as const;
export const positiveGeoSettings: readonly (typeof geoCapacities)[number][] = geoCapacities;

/** Both names are in use. */
export const geoRoutes = (route: (path: string, options?: { success?: number }) => Route, path: string): Route[] => [
  route(`/geo_nodes${path}`),
  route(`/geo_sites${path}`),
];

/** Limit of storages, or groups, of a node with selective synchronization. */
export const mostSelected = 1000;

const name = text.max(255).describe('No two nodes have the same');
const url = text.max(2048).describe('Where users reach it, http or https: no two nodes have the same');
const count = z.int().max(2_147_483_647);
const counts = {
  files_max_capacity: count.describe('How many files the node fetches at a time'),
  repos_max_capacity: count.describe('How many repositories the node fetches at a time'),
  verification_max_capacity: count.describe('How many checksums the node works out at a time'),
  container_repositories_max_capacity: count.describe('How many repositories of images the node fetches at a time'),
  minimum_reverification_interval: count.describe('Days after which copies are verified again'),
};
const optional = {
  internal_url: z.string().max(2048).optional().describe('Where other nodes reach it; `url` unless given'),
  selective_sync_type: z.string().nullable().optional().describe('`namespaces` or `shards`; all is copied without'),
  selective_sync_shards: commaList(text.max(255), mostSelected)
    .optional()
    .describe('Names of the storages that are copied'),
  selective_sync_namespace_ids: commaList(id, mostSelected).optional().describe('Ids of the groups that are copied'),
};
const primary = z.boolean().describe('The others copy it; there is one');
const enabled = z.boolean().describe('It copies');
const syncsObjects = z.boolean().describe('Whether it copies files of object storage, too');

const taken = 'common.invalid_record for a name, address or primary that there is already, and for values out of range';

export const listGeoNodes = operation({
  name: 'geo.nodes.list',
  onSecondary: 'here',
  summary: 'Replication nodes',
  http: geoRoutes(get, ''),
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({}),
  output: page(GeoNode),
});

export const getGeoNode = operation({
  name: 'geo.nodes.get',
  onSecondary: 'here',
  summary: 'One replication node',
  refusals: ['geo.node_not_found'],
  http: geoRoutes(get, '/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: GeoNode,
});

export const createGeoNode = operation({
  name: 'geo.nodes.create',
  summary: 'Declare a replication node',
  description: 'A secondary gets an OAuth application of its own; the answer holds its secret, this once.',
  refusals: [taken],
  http: geoRoutes(post, ''),
  access: administrator(),
  input: z.object({
    name,
    url,
    ...optional,
    primary: primary.default(false),
    enabled: enabled.default(true),
    files_max_capacity: counts.files_max_capacity.default(10),
    repos_max_capacity: counts.repos_max_capacity.default(25),
    verification_max_capacity: counts.verification_max_capacity.default(100),
    container_repositories_max_capacity: counts.container_repositories_max_capacity.default(10),
    minimum_reverification_interval: counts.minimum_reverification_interval.default(7),
    sync_object_storage: syncsObjects.default(false),
  }),
  output: NodeWithCredentials,
});

const refusedOnSecondary = 'common.forbidden on a secondary';

export const updateGeoNode = operation({
  name: 'geo.nodes.update',
  summary: 'Change a replication node',
  description:
    'Parameters that are not given stay unchanged. A node that becomes a secondary has no OAuth application until it is repaired.',
  refusals: ['geo.node_not_found', refusedOnSecondary, taken],
  http: geoRoutes(put, '/:id'),
  access: administrator(),
  input: z.object({
    id,
    name: name.optional(),
    url: url.optional(),
    ...optional,
    primary: primary.optional(),
    enabled: enabled.optional(),
    files_max_capacity: counts.files_max_capacity.optional(),
    repos_max_capacity: counts.repos_max_capacity.optional(),
    verification_max_capacity: counts.verification_max_capacity.optional(),
    container_repositories_max_capacity: counts.container_repositories_max_capacity.optional(),
    minimum_reverification_interval: counts.minimum_reverification_interval.optional(),
    sync_object_storage: syncsObjects.optional(),
  }),
  output: GeoNode,
});

export const deleteGeoNode = operation({
  name: 'geo.nodes.delete',
  summary: 'Remove a replication node',
  description: 'Also deletes its OAuth application and its reported status.',
  refusals: ['geo.node_not_found', refusedOnSecondary],
  http: geoRoutes(del, '/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});

export const repairGeoNode = operation({
  name: 'geo.nodes.repair',
  summary: 'Renew the OAuth application of a replication node',
  description:
    'The old credential stops working. Only this answer has the new secret. A primary has no application and stays unchanged.',
  refusals: ['geo.node_not_found', refusedOnSecondary],
  http: geoRoutes(post, '/:id/repair'),
  access: administrator(),
  input: z.object({ id }),
  output: NodeWithCredentials,
});
