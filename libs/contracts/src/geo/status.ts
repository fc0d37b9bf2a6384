import { z } from 'zod';
import { administrator, get, id, operation, page, post, text, time, tokenBearer } from '../operation';
import { geoRoutes } from './node';

/** Kinds of copies of nodes. */
export const geoKinds = [
  'attachments',
  'lfs_objects',
  'job_artifacts',
  'container_repositories',
  'design_repositories',
  'repositories',
  'wikis',
  'package_files',
] as const;
export type GeoKind = (typeof geoKinds)[number];

/** Kinds of files of which a primary may have records without bytes. */
export const missingGeoKinds = ['attachments', 'lfs_objects', 'job_artifacts'] as const;
/** Kinds of which checksums are compared. */
export const verifiedGeoKinds = ['repositories', 'wikis', 'package_files'] as const;

const pairs = <K extends string, S extends string>(kinds: readonly K[], ends: readonly S[]): `${K}_${S}`[] =>
  kinds.flatMap((kind) => ends.map((end) => `${kind}_${end}` as const));
const each = <K extends string, V>(names: readonly K[], value: V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<K, V>;

/** Numbers that a node reports about itself. */
export const geoCounters = [
  'projects_count',
  'last_event_id',
  'last_event_timestamp',
  'cursor_last_event_id',
  'cursor_last_event_timestamp',
  'db_replication_lag_seconds',
  'replication_slots_count',
  'replication_slots_used_count',
  'replication_slots_max_retained_wal_bytes',
  'repositories_checked_count',
  'repositories_checked_failed_count',
  ...pairs(geoKinds, ['count', 'synced_count', 'failed_count']),
  ...pairs(missingGeoKinds, ['synced_missing_on_primary_count']),
  ...pairs(verifiedGeoKinds, [
    'checksummed_count',
    'checksum_failed_count',
    'verified_count',
    'verification_failed_count',
  ]),
  ...pairs(['repositories', 'wikis'], ['checksum_mismatch_count', 'retrying_verification_count']),
] as const;
export type GeoCounter = (typeof geoCounters)[number];

/** Shares of these, as `97.50%`. */
export const geoShares = [
  'replication_slots_used_in_percentage',
  'repositories_checked_in_percentage',
  ...pairs(geoKinds, ['synced_in_percentage']),
  ...pairs(verifiedGeoKinds, ['checksummed_in_percentage', 'verified_in_percentage']),
] as const;
export type GeoShare = (typeof geoShares)[number];

/** How a node is. See docs/api/geo.md#3. */
export const GeoNodeStatus = z.object({
  geo_node_id: id,
  healthy: z.boolean(),
  health: z.string().describe('A description of the problem; `Healthy` if there is none'),
  health_status: z.enum(['Healthy', 'Unhealthy']),
  missing_oauth_application: z.boolean().describe('The node cannot sign in to its primary until it is repaired'),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  repository_verification_enabled: z.boolean(),
  selective_sync_type: z.string().nullable(),
  last_successful_status_check_timestamp: z.int().nullable().describe('In seconds since 1970'),
  updated_at: time,
  ...each(geoCounters, z.int().nullable().describe('null if unknown')),
  ...each(geoShares, z.string().describe('As `97.50%`')),
  _links: z.object({ self: z.string(), node: z.string() }),
});
export type GeoNodeStatus = z.infer<typeof GeoNodeStatus>;

export const listGeoStatuses = operation({
  name: 'geo.statuses.list',
  onSecondary: 'here',
  summary: 'How replication nodes are',
  description: 'Of the site that answers as it is now, and of others as they said last.',
  http: [get('/geo_nodes/status'), get('/geo_nodes/statuses'), get('/geo_sites/status'), get('/geo_sites/statuses')],
  access: administrator(),
  input: z.object({}),
  output: page(GeoNodeStatus),
});

export const getGeoStatus = operation({
  name: 'geo.statuses.get',
  onSecondary: 'here',
  summary: 'How a replication node is',
  refusals: ['geo.node_not_found', 'geo.status_not_found'],
  http: geoRoutes(get, '/:id/status'),
  access: administrator(),
  input: z.object({
    id,
    refresh: z.boolean().default(false).describe('No effect: the site that answers always computes its own status'),
  }),
  output: GeoNodeStatus,
});

const counter = z.int().min(0).nullable().optional().describe('null or absent if unknown');

export const reportGeoStatus = operation({
  name: 'geo.statuses.report',
  summary: 'Report the status of a secondary to the primary',
  description: 'The OAuth application of the request determines the node. The status replaces the previous one.',
  refusals: ['common.unauthorized for credentials that are no node’s', 'common.forbidden on a secondary'],
  http: post('/geo/status'),
  access: tokenBearer(),
  input: z.object({
    application_id: text.max(255).describe('Of the application of the node'),
    secret: text.max(255).describe('Of the application of the node'),
    health: z.string().max(1000).optional().describe('A description of the problem; empty or absent if there is none'),
    version: z.string().max(100).optional().describe('Version of the node'),
    revision: z.string().max(100).optional().describe('Revision of the node'),
    ...each(geoCounters, counter),
  }),
  output: GeoNodeStatus,
});

const failureTypes = ['sync', 'checksum_mismatch', 'verification'] as const;

/** A project that a secondary did not copy, or not verify. */
const GeoFailure = z.object({
  project_id: id,
  last_repository_synced_at: time.nullable(),
  last_repository_successful_sync_at: time.nullable(),
  last_wiki_synced_at: time.nullable(),
  last_wiki_successful_sync_at: time.nullable(),
  repository_retry_count: z.int().nullable(),
  wiki_retry_count: z.int().nullable(),
  last_repository_sync_failure: z.string().nullable(),
  last_wiki_sync_failure: z.string().nullable(),
  last_repository_verification_failure: z.string().nullable(),
  last_wiki_verification_failure: z.string().nullable(),
  repository_checksum_mismatch: z.boolean(),
  wiki_checksum_mismatch: z.boolean(),
});

export type GeoFailure = z.infer<typeof GeoFailure>;

export const listGeoFailures = operation({
  name: 'geo.failures.list',
  onSecondary: 'here',
  summary: 'Projects that this secondary did not copy, or not verify',
  refusals: ['geo.node_not_found where this site is no node', 'geo.not_of_primary'],
  http: geoRoutes(get, '/current/failures'),
  access: administrator(),
  input: z.object({
    type: z
      .enum(['repository', 'wiki', ...failureTypes])
      .default('sync')
      .describe('`repository` or `wiki`; default: both. Other values as for failure_type'),
    failure_type: z
      .enum(failureTypes)
      .optional()
      .describe('What failed; copying unless given. `verification` includes what differs from the primary'),
  }),
  output: page(GeoFailure),
});
