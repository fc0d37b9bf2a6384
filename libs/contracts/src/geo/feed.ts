import { z } from 'zod';
import { administrator, commaList, get, id, nodeScope, operation, time } from '../operation';

/** Possible changes. A consumer reads the current state of the project. */
export const geoEventKinds = [
  'project_created',
  'project_updated',
  'project_renamed',
  'project_deleted',
  'repository_updated',
  'wiki_updated',
  'group_updated',
] as const;
export type GeoEventKind = (typeof geoEventKinds)[number];

const featureAccess = z.enum(['disabled', 'private', 'enabled']);

/** What a secondary needs to know of a project to store and serve its repositories. */
export const GeoProject = z.object({
  id,
  name: z.string(),
  path_with_namespace: z.string(),
  namespace_id: id,
  group_ids: z.array(id).describe('Groups above, nearest first'),
  visibility: z.enum(['private', 'internal', 'public']),
  archived: z.boolean(),
  default_branch: z.string().nullable(),
  repository_storage: z.string(),
  repository_access_level: featureAccess,
  wiki_access_level: featureAccess,
  has_wiki: z.boolean().optional().describe('Something was written in its wiki'),
});
export type GeoProject = z.infer<typeof GeoProject>;

const GeoEvent = z.object({
  id: z.int().describe('From 1, without gaps, in the order in which they became visible'),
  kind: z.enum(geoEventKinds),
  project_id: id.nullable().describe('null of `group_updated`'),
  group_id: id.nullable().describe('Of `group_updated`: all projects below it may read differently'),
  created_at: time,
});

export const listGeoEvents = operation({
  name: 'geo.geo-events.list',
  summary: 'Events since a cursor, for a secondary',
  description:
    'Each answer has the cursor of the next request. Events never appear before a cursor later on. Without a cursor, the answer has no events and the cursor to start with after listing all projects.',
  refusals: [
    'geo.cursor_expired if the events after it were deleted, or the cursor is of another site: start again with the list of all projects',
    'common.forbidden on a secondary',
  ],
  http: [get('/geo/events')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    cursor: z.int().min(0).optional().describe('`cursor_last_event_id` of the answer before'),
    limit: z.int().min(1).max(1000).default(100).describe('Events in an answer, at most'),
  }),
  output: z.object({
    events: z.array(GeoEvent),
    projects: z.array(GeoProject).describe('The projects of the events in their current state; without deleted ones'),
    cursor_last_event_id: z.int().describe('The cursor of the next request'),
    last_event_id: z.int().describe('Of the newest event there is'),
    last_event_timestamp: z.int().nullable().describe('Of the newest event, in seconds since 1970'),
  }),
});

export const listGeoProjects = operation({
  name: 'geo.geo-projects.list',
  summary: 'All projects that a secondary may copy, by ascending id',
  description: 'An answer with fewer than `limit` projects is not the last; the last has no `next_id_after`.',
  refusals: ['common.forbidden on a secondary'],
  http: [get('/geo/projects')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    id_after: z.int().min(0).default(0).describe('Only ids above this one: `next_id_after` of the answer before'),
    group_id: id.optional().describe('Only projects below this group'),
    limit: z.int().min(1).max(1000).default(100).describe('Projects in an answer, at most'),
  }),
  output: z.object({
    projects: z.array(GeoProject),
    next_id_after: z.int().nullable().describe('null on the last page'),
  }),
});

export const listGeoChecksums = operation({
  name: 'geo.geo-checksums.list',
  summary: 'Checksums of repositories, for a secondary to compare its copies with',
  description: 'Without deleted projects, and without those whose storage does not answer.',
  refusals: ['common.forbidden on a secondary'],
  http: [get('/geo/checksums')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    project_ids: commaList(id, 100).describe('Whose repositories'),
    kind: z.enum(['code', 'wiki']).default('code').describe('Their code, or their wikis'),
  }),
  output: z.object({
    checksums: z.array(
      z.object({
        project_id: id,
        checksum: z
          .string()
          .nullable()
          .describe('SHA-256 in hex of all refs and HEAD; null if the repository does not exist or is unreadable'),
      }),
    ),
  }),
});
