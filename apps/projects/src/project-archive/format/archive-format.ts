import {
  ExportedProtection,
  ExportedPushRule,
  ExportedRelease,
  ExportedSchedule,
  exportedRecords,
  numberedKinds,
  projectRecordKinds,
  projectSettings,
  timestamp,
  visibility,
} from '@moothall/contracts';
import { z } from 'zod';
import { FileFacts } from '../../archive/archive-files';
import { ArchivedBadge } from '../../archive/archived-badge';
import { ArchivedMember, ArchivedUser } from '../../archive/archived-user';

/*
 * A project archive is a tar.gz, in this order:
 *
 *   manifest.json         version, and of each other file its size, rows and SHA-256
 *   users.ndjson          users in the records, with name and public email address for matching
 *   project.ndjson        the project: one record
 *   avatar                its image
 *   members.ndjson        members and so on: one record per line
 *   repository.bundle     the git repository; absent without commits
 *   wiki.bundle           the same for the wiki
 *   lfs/<oid>             an object of Git LFS
 *   uploads/<id>          a file that texts refer to, with its metadata in uploads.ndjson
 *   labels.ndjson …       records of the collaboration service, in the order of the import
 *
 * Records refer to one another by title or number. Records without either (snippets, events, notes, schedules) have the
 * number of their line: notes use it for the first note of their discussion, and for their snippet. See
 * docs/api/projects.md#9.
 */

export const formatVersion = 1;
export const format = 'moothall project export';

const featureAccess = z.enum(['disabled', 'private', 'enabled', 'public']);

export const ArchivedProject = z.object({
  name: z.string().max(255),
  path: z.string().max(255),
  description: z.string().max(2000).nullable(),
  visibility,
  default_branch: z.string().max(1024).nullable(),
  wiki_branch: z.string().max(1024).nullable(),
  topics: z.array(z.string().max(255)).max(100),
  features: z.partialRecord(
    z.enum([
      'repository',
      'issues',
      'merge_requests',
      'wiki',
      'builds',
      'snippets',
      'forking',
      'pages',
      'container_registry',
    ]),
    featureAccess,
  ),
  settings: z.object(projectSettings).partial(),
  /** File name of the avatar, if there is one. */
  avatar: z.string().max(255).nullable().default(null),
});
export type ArchivedProject = z.infer<typeof ArchivedProject>;

export const ArchivedUpload = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  filename: z.string().min(1).max(255),
  content_type: z.string().max(255),
  user_id: z.int().positive(),
  created_at: timestamp,
});

/** Files of records, in their order. */
export const rowSchemas = {
  users: ArchivedUser,
  project: ArchivedProject,
  members: ArchivedMember,
  badges: ArchivedBadge,
  protections: ExportedProtection,
  push_rules: ExportedPushRule,
  uploads: ArchivedUpload,
  ...exportedRecords,
  releases: ExportedRelease,
  schedules: ExportedSchedule,
} as const;
export type RowKind = keyof typeof rowSchemas;
export type Row<K extends RowKind> = z.infer<(typeof rowSchemas)[K]>;

/** Kinds whose rows have their line number as `id`. */
const numbered: ReadonlySet<RowKind> = new Set([...numberedKinds, 'schedules']);
export const isNumbered = (kind: RowKind): boolean => numbered.has(kind);

/** Files that are not records. */
export type BytesKind = 'avatar' | 'repository' | 'wiki' | 'lfs' | 'upload';

export type ArchivePart = { part: 'rows'; kind: RowKind } | { part: 'bytes'; kind: BytesKind; name: string };

/** Dependencies come first. */
const order: readonly (RowKind | BytesKind)[] = [
  'users',
  'project',
  'avatar',
  'members',
  'badges',
  'repository',
  'wiki',
  'protections',
  'push_rules',
  'lfs',
  'uploads',
  'upload',
  ...projectRecordKinds,
  'releases',
  'schedules',
];

export const rowsPath = (kind: RowKind): string => `${kind}.ndjson`;
export const avatarPath = 'avatar';
export const bundlePath = (kind: 'repository' | 'wiki'): string => `${kind}.bundle`;
export const lfsPath = (oid: string): string => `lfs/${oid}`;
export const uploadPath = (id: string): string => `uploads/${id}`;

/** The content of a path in an archive; undefined for an unknown path. */
export function partOf(path: string): ArchivePart | undefined {
  if (path === avatarPath) return { part: 'bytes', kind: 'avatar', name: path };
  const bundle = /^(repository|wiki)\.bundle$/.exec(path)?.[1] as 'repository' | 'wiki' | undefined;
  if (bundle) return { part: 'bytes', kind: bundle, name: bundle };
  const oid = /^lfs\/([0-9a-f]{64})$/.exec(path)?.[1];
  if (oid) return { part: 'bytes', kind: 'lfs', name: oid };
  const upload = /^uploads\/([0-9a-f]{32})$/.exec(path)?.[1];
  if (upload) return { part: 'bytes', kind: 'upload', name: upload };
  const rows = /^([a-z_]+)\.ndjson$/.exec(path)?.[1];
  return rows !== undefined && Object.hasOwn(rowSchemas, rows) ? { part: 'rows', kind: rows as RowKind } : undefined;
}

export const rankOf = ({ kind }: ArchivePart): number => order.indexOf(kind);

/** Paths in the order of an archive: by kind, and within a kind in the order of writing. */
export const inOrder = (paths: readonly string[]): string[] =>
  paths.toSorted((one, other) => rankOfPath(one) - rankOfPath(other));

function rankOfPath(path: string): number {
  const part = partOf(path);
  if (!part) throw new Error(`no archive has a ${path}`);
  return rankOf(part);
}

export const Manifest = z.object({
  format: z.literal(format),
  version: z.int(),
  exported_at: z.string(),
  files: z.record(z.string(), FileFacts),
});
export type Manifest = z.infer<typeof Manifest>;
