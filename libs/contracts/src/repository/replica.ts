import { z } from 'zod';
import { errors, event, id, internal, internalOnProject, nothing, operation, time } from '../operation';

/*
 * Repositories of a secondary site: copies of those of its primary, created and updated by git. For sites with
 * GEO_ROLE=secondary. See docs/api/geo-replication.md#2.
 */

export const replicaErrors = errors('replica', {
  notOfSecondary: {
    status: 403,
    message: '403 Forbidden - Only a secondary site has replicas',
    means: 'A replica was asked of a site that is a primary.',
  },
  sourceNotPrimary: {
    status: 400,
    message: '400 Bad request - The source is not at the address of the primary site',
    means: 'A replica of a repository elsewhere than at GEO_PRIMARY_URL.',
  },
  isOriginal: {
    status: 409,
    message: '409 Conflict - The repository of this project is no replica',
    means: 'The site has a repository of its own at the path of a replica; it stays.',
  },
  isReplica: {
    status: 409,
    message: '409 Conflict - There is a replica in the place of this repository',
    means: 'A new project has the id of one of the primary, of which the site has a copy.',
  },
  storageUnknown: {
    status: 400,
    message: '400 Bad request - There is no storage of that name',
    means: 'A replica for a storage that no process of the site holds.',
  },
  notFound: { status: 404, message: '404 Replica Not Found', means: 'No replica of that project and kind.' },
});

const checksum = z
  .string()
  .nullable()
  .describe('SHA-256 in hex of all refs and HEAD; null if the repository is empty or unreadable');

const replica = { project_id: id, kind: z.enum(['code', 'wiki']) };

/**
 * Updates a replica from its source, in the background; creates it if there is none. Each request is answered by at
 * least one `repository.replica.synced`: a request during the wait of another by the same one, and a request during
 * an update by one more. A failure is only retried on request.
 * @throws replica.not_of_secondary, replica.source_not_primary, replica.is_original, replica.storage_unknown
 */
export const syncReplica = operation({
  name: 'repository.replicas.sync',
  access: internal(),
  input: z.object({
    ...replica,
    source_url: z
      .string()
      .max(4096)
      .describe('Credentials for git over HTTP below GEO_PRIMARY_URL; stored encrypted, never returned'),
    storage: z
      .string()
      .optional()
      .describe('For a new replica; default: chosen by the server. An existing replica stays on its storage'),
  }),
  output: nothing(),
});

/**
 * Verifies a replica, in the background, which ends in `repository.replica.verified`. The next sync creates a damaged
 * one again. Idempotent.
 * @throws replica.not_of_secondary, replica.not_found
 */
export const verifyReplica = operation({
  name: 'repository.replicas.verify',
  access: internal(),
  input: z.object(replica),
  output: nothing(),
});

/**
 * Deletes a replica, in the background, with its pending requests; never an original repository. Does nothing without
 * a replica.
 * @throws replica.not_of_secondary
 */
export const removeReplica = operation({
  name: 'repository.replicas.remove',
  access: internal(),
  input: z.object(replica),
  output: nothing(),
});

/** Checksums of repositories of one storage, that of the context, as replicas have them. */
export const listChecksums = operation({
  name: 'repository.checksums.list',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(100), kind: replica.kind }),
  output: z.array(z.object({ project_id: id, checksum })),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/** Which of some projects have a wiki in which something was written. */
export const projectsWithWiki = operation({
  name: 'repository.wikis.of-projects',
  access: internal(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(1000) }),
  output: z.array(id),
});

/** The place of a complete replica without known damage. */
export const locateReplica = operation({
  name: 'repository.replicas.locate',
  access: internal(),
  isRead: true,
  input: z.object(replica),
  output: z.object({ storage: z.string().nullable().describe('null if there is none') }),
});

/** How much of each disk that copies are on is free. */
export const freeSpaceOfStorages = operation({
  name: 'repository.storages.free-space',
  access: internal(),
  isRead: true,
  input: z.object({}),
  output: z.array(
    z.object({ storage: z.string(), free_share: z.number().min(0).max(1).describe('As its holder saw it last') }),
  ),
});

/** A replica was synchronised with its source; if that failed, the replica is unchanged. */
export const replicaSynced = event({
  name: 'repository.replica.synced',
  data: z.object({
    ...replica,
    outcome: z
      .enum(['synced', 'failed', 'missing_at_source'])
      .describe('`missing_at_source` also if the credentials may not read the repository'),
    error: z.string().nullable().describe('A message without credentials; null if `synced`'),
    checksum,
    made_anew: z.boolean().describe('The copy did not exist, or was damaged'),
    ended_at: time,
  }),
});

/** A replica was checked by `git fsck`. */
export const replicaVerified = event({
  name: 'repository.replica.verified',
  data: z.object({
    ...replica,
    outcome: z.enum(['intact', 'damaged', 'failed']).describe('`failed` if the check took too long or could not run'),
    error: z.string().nullable().describe('The message of git; null if `intact`'),
    checksum,
    ended_at: time,
  }),
});
