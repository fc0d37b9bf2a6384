import { z } from 'zod';
import {
  Access,
  bytes,
  errors,
  type FileLimit,
  get,
  hash,
  type InstanceLimit,
  id,
  onProject,
  operation,
  post,
  projectRef,
  signedIn,
  text,
  time,
  uploadedFile,
} from '../operation';
import { Accepted } from './project';
import { visibility } from './settings';

export const projectExportErrors = errors('project_export', {
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
  uploadRefused: {
    status: 400,
    message: '400 Bad request - upload[url] is not one that may be reached',
    means: 'The upload URL is invalid, or the instance does not permit its address.',
  },
  underWay: {
    status: 409,
    message: '409 Conflict - An export of the project is under way, whose archive goes elsewhere',
    means: 'One export of a project is made at a time, and its archive is sent to one address.',
  },
  downloadRefused: {
    status: 400,
    message: '400 Bad request - url is not one that may be fetched',
    means: 'The URL of the archive is invalid, or the instance does not permit its address.',
  },
});

export const projectArchiveLimit: FileLimit<InstanceLimit> = {
  bytes: { setting: 'max_import_size' },
  tooLarge: (bytes) =>
    projectExportErrors.archiveRefused(
      `400 Bad request - The archive cannot be imported: it is larger than ${bytes / 1024 ** 2} MB`,
    ),
};

/** A project in answers about its export and import. */
const named = {
  id,
  description: z.string().nullable(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: time,
};

export const startProjectExport = operation({
  name: 'projects.project-exports.start',
  summary:
    'Starts an export of a project: settings, code, wiki, files of Git LFS, issues, merge requests and what belongs to them',
  description:
    'A mail is sent when it is finished. With `upload` the archive is sent there, too. Variables, tokens, hooks and pipelines are not part of it.',
  refusals: ['project_export.upload_refused', 'project_export.under_way'],
  http: post('/projects/:id/export', { success: 202 }),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({
    ...projectRef,
    description: z.string().max(2000).optional().describe('Description of the project as the archive has it'),
    upload: z
      .object({
        url: z.string().max(10_000).describe('Where the archive is sent to'),
        http_method: z.enum(['PUT', 'POST']).default('PUT'),
      })
      .optional()
      .describe('Sends the archive to an address once it is made'),
  }),
  output: Accepted,
  limit: { requests: 0, seconds: 60, setting: 'PROJECT_EXPORT_RATE_LIMIT', about: 'Project exports started' },
});

export const getProjectExport = operation({
  name: 'projects.project-exports.get',
  summary: 'How the latest export of a project gets on',
  http: get('/projects/:id/export'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object(projectRef),
  output: z.object({
    ...named,
    export_status: z.enum(['none', 'queued', 'started', 'finished', 'regeneration_in_progress', 'failed']),
    export_error: z.string().nullable(),
    _links: z.object({ api_url: z.string(), web_url: z.string() }).optional().describe('Once it has finished'),
  }),
});

export const downloadProjectExport = operation({
  name: 'projects.project-exports.download',
  summary: 'The archive of the latest export of a project',
  description: 'Available for a day after the export finished.',
  refusals: ['project_export.not_available'],
  http: get('/projects/:id/export/download'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object(projectRef),
  output: bytes('application/octet-stream'),
  limit: {
    requests: 0,
    seconds: 60,
    setting: 'PROJECT_EXPORT_DOWNLOAD_RATE_LIMIT',
    about: 'Project exports downloaded',
  },
});

const target = {
  path: text.max(255),
  name: z.string().max(255).optional(),
  namespace: z.union([id, z.string()]).optional().describe("Id or path of the namespace; default: the caller's own"),
  overwrite: z
    .boolean()
    .default(false)
    .describe('Whether it replaces a project of that path; the caller must be allowed to delete that project'),
  override_params: hash
    .optional()
    .describe('Attributes of the project that are not taken from the archive: `description`, `visibility`'),
};

const ImportState = z.object({
  ...named,
  import_status: z.enum(['none', 'scheduled', 'started', 'finished', 'failed']),
  import_type: z.string().nullable(),
  correlation_id: z.null(),
  failed_relations: z.array(z.object({ relation_name: z.string(), exception_message: z.string() })),
  import_error: z.string().nullable(),
  stats: z.null(),
});

export const importProject = operation({
  name: 'projects.project-imports.start',
  summary: 'Make a project out of an exported archive',
  description:
    'The project exists immediately and is filled in the background. If that fails, it stays and has the error. Members and authors are matched by username and public email address.',
  refusals: [
    'project_export.archive_refused',
    'project.namespace_not_valid',
    'project.limit_reached',
    'common.invalid_record for a path that is taken or not allowed',
  ],
  http: post('/projects/import'),
  access: signedIn(),
  input: z.object({ ...target, file: uploadedFile(projectArchiveLimit) }),
  output: ImportState,
  timeoutSeconds: 600,
  limit: { requests: 0, seconds: 60, setting: 'PROJECT_IMPORT_RATE_LIMIT', about: 'Project imports started' },
});

const { overwrite: _, ...freshTarget } = target;

export const importRemoteProject = operation({
  name: 'projects.project-imports.start-remote',
  summary: 'Import a project from an archive on another server',
  description: 'The archive is fetched in the background, by http or https, within the limits of one that is sent.',
  refusals: [
    'project_export.download_refused',
    'project.namespace_not_valid',
    'project.limit_reached',
    'common.invalid_record for a path that is taken or not allowed',
  ],
  http: post('/projects/remote-import'),
  access: signedIn(),
  input: z.object({ ...freshTarget, url: z.string().max(10_000).describe('Where the archive is') }),
  output: ImportState,
  timeoutSeconds: 120,
  limit: { requests: 0, seconds: 60, setting: 'PROJECT_IMPORT_RATE_LIMIT', about: 'Project imports started' },
});

export const getProjectImport = operation({
  name: 'projects.project-imports.get',
  summary: 'How the import of a project gets on',
  http: get('/projects/:id/import'),
  access: onProject({ level: Access.Developer }),
  input: z.object(projectRef),
  output: ImportState,
});

/** Values that override those of an imported archive. */
export const ImportOverrides = z.object({
  description: z.string().max(2000).optional(),
  visibility: visibility.optional(),
});
