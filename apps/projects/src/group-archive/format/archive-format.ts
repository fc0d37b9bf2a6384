import {
  ExportedBoard,
  ExportedEpic,
  ExportedLabel,
  ExportedMilestone,
  groupSettings,
  visibility,
} from '@moothall/contracts';
import { z } from 'zod';
import { FileFacts } from '../../archive/archive-files';
import { ArchivedBadge } from '../../archive/archived-badge';
import { ArchivedMember } from '../../archive/archived-user';

/*
 * A group archive is a tar.gz, in this order:
 *
 *   manifest.json                  version, number of groups, and of each other file its size, rows and SHA-256
 *   users.ndjson                   users in the records, with name and public email address for matching
 *   tree/groups/_all.ndjson        numbers of the groups, parents first
 *   tree/groups/<n>.json           a group; 1 is the exported one
 *   tree/groups/<n>/<kind>.ndjson  one record per line
 *
 * Numbers are local to the archive and independent of the exporting instance, so exporting an imported group gives
 * the same archive.
 */

export const formatVersion = 2;
/** In version 1 all notes of an epic are in one record, which is read in the same way. */
export const oldestReadableVersion = 1;
export const usersPath = 'users.ndjson';
export const allPath = 'tree/groups/_all.ndjson';
/** In reading order: members and badges depend on nothing; boards and epics refer to labels and milestones. */
export const rowSchemas = {
  members: ArchivedMember,
  badges: ArchivedBadge,
  labels: ExportedLabel,
  milestones: ExportedMilestone,
  boards: ExportedBoard,
  epics: ExportedEpic,
} as const;
export type RowKind = keyof typeof rowSchemas;
export type Row<K extends RowKind> = z.infer<(typeof rowSchemas)[K]>;
export const rowKinds = Object.keys(rowSchemas) as RowKind[];

export const ArchivedGroup = z.object({
  number: z.int().positive(),
  parent_number: z.int().positive().nullable(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  visibility,
  settings: z.object(groupSettings).partial(),
});
export type ArchivedGroup = z.infer<typeof ArchivedGroup>;

export const ArchivedNumber = z.object({ number: z.int().positive() });

export const Manifest = z.object({
  format: z.literal('moothall group export'),
  version: z.int(),
  exported_at: z.string(),
  groups: z.int().positive(),
  files: z.record(z.string(), FileFacts),
});
export type Manifest = z.infer<typeof Manifest>;

export const groupPath = (number: number): string => `tree/groups/${number}.json`;
export const rowsPath = (number: number, kind: RowKind): string => `tree/groups/${number}/${kind}.ndjson`;

/** All files of an archive of that many groups, in their order, without the manifest. */
export function* pathsOf(groups: number): Generator<string> {
  yield usersPath;
  yield allPath;
  for (let number = 1; number <= groups; number += 1) {
    yield groupPath(number);
    for (const kind of rowKinds) yield rowsPath(number, kind);
  }
}

export type ArchivePart =
  | { part: 'users' }
  | { part: 'all' }
  | { part: 'group'; number: number }
  | { part: 'rows'; number: number; kind: RowKind };

/** The content of a path in an archive; undefined for an unknown path. */
export function partOf(path: string): ArchivePart | undefined {
  if (path === usersPath) return { part: 'users' };
  if (path === allPath) return { part: 'all' };
  const [, digits, kind] = /^tree\/groups\/([1-9]\d{0,8})(?:\.json|\/([a-z]+)\.ndjson)$/.exec(path) ?? [];
  if (!digits) return undefined;
  const number = Number(digits);
  if (kind === undefined) return { part: 'group', number };
  const known = rowKinds.find((name) => name === kind);
  return known && { part: 'rows', number, kind: known };
}
