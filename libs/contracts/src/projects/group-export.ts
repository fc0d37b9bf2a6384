import { z } from 'zod';
import {
  Access,
  bytes,
  errors,
  type FileLimit,
  get,
  groupRef,
  type InstanceLimit,
  id,
  onGroup,
  operation,
  post,
  signedIn,
  text,
  uploadedFile,
} from '../operation';
import { Accepted } from './project';

export const groupExportErrors = errors('group_export', {
  notAvailable: {
    status: 404,
    message: '404 Not found or has expired',
    means: 'No export was asked for, it is not done yet, or it was removed after a day.',
  },
  archiveRefused: {
    status: 400,
    message: '400 Bad request - The archive cannot be imported',
    means: 'The archive is no export, damaged or too large; the message has the reason.',
  },
});

export const archiveLimit: FileLimit<InstanceLimit> = {
  bytes: { setting: 'max_import_size' },
  tooLarge: (bytes) =>
    groupExportErrors.archiveRefused(
      `400 Bad request - The archive cannot be imported: it is larger than ${bytes / 1024 ** 2} MB`,
    ),
};

export const exportGroup = operation({
  name: 'projects.group-exports.start',
  description:
    'A mail is sent when it is finished. Projects, their issues and links from epics to issues are not part of it.',
  summary: 'Starts an export of a group with all groups below it, without projects and their issues',
  http: post('/groups/:id/export', { success: 202 }),
  access: onGroup({ level: Access.Owner }),
  input: z.object(groupRef),
  output: Accepted,
  limit: { requests: 0, seconds: 60, setting: 'GROUP_EXPORT_RATE_LIMIT', about: 'Group exports started' },
});

export const downloadGroupExport = operation({
  name: 'projects.group-exports.download',
  summary: 'The archive of the latest export of a group',
  description: 'Available for a day after the export finished.',
  refusals: ['group_export.not_available'],
  http: get('/groups/:id/export/download'),
  access: onGroup({ level: Access.Owner }),
  input: z.object(groupRef),
  output: bytes('application/octet-stream'),
  limit: { requests: 0, seconds: 60, setting: 'GROUP_EXPORT_DOWNLOAD_RATE_LIMIT', about: 'Group exports downloaded' },
});

export const getGroupExport = operation({
  name: 'projects.group-exports.get',
  summary: 'Progress of the latest export of a group',
  http: get('/groups/:id/export'),
  access: onGroup({ level: Access.Owner }),
  input: z.object(groupRef),
  output: z.object({
    export_status: z.enum(['none', 'queued', 'started', 'finished', 'failed']),
    groups_done: z.int(),
    groups_total: z.int(),
    error: z.string().nullable(),
  }),
});

export const importGroup = operation({
  name: 'projects.group-imports.start',
  summary: 'Make a group out of an exported archive',
  description: 'The group exists immediately and is filled in the background, completely or not at all.',
  refusals: ['group_export.archive_refused', 'group.not_saved'],
  http: post('/groups/import', { success: 202 }),
  access: signedIn(),
  input: z.object({ name: text, path: text, file: uploadedFile(archiveLimit), parent_id: id.nullable().optional() }),
  output: Accepted.extend({ group_id: id, import_id: id }),
  timeoutSeconds: 600,
  limit: { requests: 0, seconds: 60, setting: 'GROUP_IMPORT_RATE_LIMIT', about: 'Group imports started' },
});

export const getGroupImport = operation({
  name: 'projects.group-imports.get',
  summary: 'Progress of an import of a group',
  description: 'For the user who started it.',
  http: get('/groups/import/:import_id'),
  access: signedIn(),
  input: z.object({ import_id: id }),
  output: z.object({
    id,
    group_id: id,
    import_status: z.enum(['queued', 'started', 'finished', 'failed']),
    rows_done: z.int(),
    rows_total: z.int(),
    error: z.string().nullable(),
  }),
});
