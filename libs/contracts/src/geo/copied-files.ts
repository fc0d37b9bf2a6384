import { z } from 'zod';
import {
  administrator,
  bytes,
  get,
  id,
  internal,
  nodeScope,
  nothing,
  type Operation,
  operation,
  page,
  time,
} from '../operation';
import { imageKind } from './copied-images';
import { GeoProject } from './feed';

/*
 * Files of services that a secondary copies: objects other than repositories. Each service with such files lists
 * those of each kind, and sends or receives bytes. See docs/api/geo-replication.md#6.
 */

export const fileKinds = ['lfs_objects', 'package_files', 'job_artifacts', 'uploads', 'avatars'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Ids of a kind are all numbers or all texts, and are listed in ascending order. */
const fileId = z.union([z.int(), z.string().max(300)]);
const key = z.string().max(400).describe('Key of the bytes, on both sites');
const sizeBytes = z.int().min(0);
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ['3c9909afec25354d551dae21590bb26e38d53f2173b8d3dc3eee4c047e7ab1c1'] })
  .nullable()
  .describe('null if unknown');

/** A file of a service. The content of an id never changes. */
const storedFile = {
  id: fileId,
  key,
  size: sizeBytes.nullable().describe('null if unknown'),
  sha256,
};

export const CopiedFile = z.object({
  ...storedFile,
  project_ids: z.array(id).describe('Projects that have it, at most a hundred; empty if none has it'),
});
export type CopiedFile = z.infer<typeof CopiedFile>;

const kind = z.enum(fileKinds);
const most = 1000;
const limit = z.int().min(1).max(most).default(100).describe('Files in an answer, at most');

/** The operations of a service with files of these kinds, for the geo service of its site. */
const fileContracts = (service: string) => ({
  /** Those above an id, in ascending order; the newest, latest first; or the one with that id. */
  list: operation({
    name: `${service}.copied-files.list`,
    access: internal(),
    isRead: true,
    input: z.object({
      kind,
      id_after: fileId.optional(),
      id: fileId.optional(),
      newest: z.boolean().default(false),
      limit,
    }),
    output: z.object({
      files: z.array(CopiedFile),
      in_object_storage: z.boolean().describe('In a bucket, and not on a disk of the site'),
    }),
  }),
  /** The bytes of a copy, or of the file itself. @throws geo.file_missing, when they are fetched */
  read: operation({
    name: `${service}.copied-files.read`,
    access: internal(),
    input: z.object({ kind, key }),
    output: bytes(),
  }),
  /**
   * The upload URL of a copy, which answers with the size and the SHA-256. Nothing is stored if they differ. @throws
   * geo.own_file; geo.file_differs, on upload
   */
  receive: operation({
    name: `${service}.copied-files.receive`,
    access: internal(),
    input: z.object({ kind, ...storedFile }),
    output: bytes(),
  }),
  /** Does nothing if it does not exist. @throws geo.own_file */
  remove: operation({
    name: `${service}.copied-files.remove`,
    access: internal(),
    input: z.object({ kind, id: fileId, key }),
    output: nothing(),
  }),
});
export type CopiedFileContracts = ReturnType<typeof fileContracts>;

export const deliveryFiles = fileContracts('delivery');
export const ciFiles = fileContracts('ci');
export const projectFiles = fileContracts('projects');

/** Which service stores them. */
export const fileContractsOf: Readonly<Record<FileKind, CopiedFileContracts>> = {
  lfs_objects: deliveryFiles,
  package_files: deliveryFiles,
  job_artifacts: ciFiles,
  uploads: projectFiles,
  avatars: projectFiles,
};

/** The answer to an upload of a copy. */
export const ReceivedFile = z.object({ size: sizeBytes, sha256: z.string() });

export type ReceivedFile = z.infer<typeof ReceivedFile>;

export const listGeoFiles = operation({
  name: 'geo.geo-files.list',
  summary: 'Files that a secondary may copy, by ascending id',
  description:
    'Ids of a kind are all numbers or all texts. What an id names never changes. An answer with fewer than `limit` files is the last. A file that came while the list was walked may be missing in it: so walk it again from time to time, and look at the newest in between.',
  refusals: ['common.forbidden on a secondary'],
  http: [get('/geo/files')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    kind: kind.describe('Of what'),
    id_after: z.string().max(300).optional().describe('Only ids above this one: that of the last file before'),
    newest: z.boolean().default(false).describe('Only the newest, newest first; not for `avatars`'),
    limit: z.int().min(1).max(most).default(100).describe('Files in an answer, at most'),
  }),
  output: z.object({
    files: z.array(CopiedFile),
    projects: z.array(GeoProject).describe('Those that the files name, each once, as they are now'),
    in_object_storage: z.boolean().describe('They are in object storage, not on a disk of the primary'),
  }),
});

export const getGeoFile = operation({
  name: 'geo.geo-files.get',
  summary: 'The bytes of a file, for a secondary to copy',
  refusals: ['common.forbidden on a secondary', 'geo.file_missing'],
  http: [get('/geo/files/:kind/:file_id')],
  access: administrator(),
  scopes: [nodeScope],
  input: z.object({
    kind: kind.describe('Of what'),
    file_id: z.string().max(300).describe('Its id, as the list of files has it'),
  }),
  output: bytes(),
});

/** A copy that failed, of any kind. */
const FailedCopy = z.object({
  kind: z.string(),
  id: z.string().describe('Of the project, or of the file as the primary lists it'),
  project_id: id.nullable(),
  state: z.enum(['failed', 'removing', 'synced', 'pending', 'asked']),
  error: z.string().nullable().describe('Why it could not be copied or removed'),
  retry_count: z.int(),
  last_tried_at: time.nullable(),
  next_try_at: time.nullable(),
  last_synced_at: time.nullable(),
  verification_error: z.string().nullable().describe('Why it could not be verified'),
  missing_on_primary: z.boolean().describe('The primary has a record without the bytes'),
});
export type FailedCopy = z.infer<typeof FailedCopy>;

export const listFailedCopies = operation({
  name: 'geo.failed-copies.list',
  onSecondary: 'here',
  summary: 'Copies that this secondary could not make, remove or verify, of any kind',
  refusals: ['geo.node_not_found where this site is no node', 'geo.not_of_primary'],
  http: [get('/geo/failures')],
  access: administrator(),
  input: z.object({
    kind: z
      .enum(['repositories', 'wikis', ...fileKinds, imageKind])
      .optional()
      .describe('Only of this kind'),
  }),
  output: page(FailedCopy),
});

/** All operations of services with files. */
export const fileOperations: readonly Operation[] = [deliveryFiles, ciFiles, projectFiles].flatMap((each) =>
  Object.values(each),
);
