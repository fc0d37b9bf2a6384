import { z } from 'zod';
import {
  Access,
  atLeastOneOf,
  attachmentLimit,
  avatarLimit,
  bytes,
  del,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  time,
  uploadedFile,
} from '../operation';
import { GroupDetail } from './group';

export const uploadFile = operation({
  name: 'projects.uploads.create',
  summary: 'Upload a file for the texts of a project',
  description: 'The answer holds the Markdown that links to it.',
  http: post('/projects/:id/uploads'),
  access: onProject(),
  input: z.object({ ...projectRef, file: uploadedFile(attachmentLimit) }),
  output: z.object({
    id: z.string(),
    alt: z.string(),
    url: z.string(),
    full_path: z.string(),
    markdown: z.string(),
  }),
});

/** The same as `secret` in addresses. */
const uploadId = z.string().describe('As the upload was answered with, and the list names it');

export const getUpload = operation({
  name: 'projects.uploads.get',
  summary: 'A file that texts of a project link to',
  http: [
    get('/projects/:id/uploads/:secret/:filename'),
    get('/-/project/:id/uploads/:secret/:filename', { atRoot: true }),
  ],
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, secret: z.string(), filename: z.string() }),
  output: bytes(),
});

/** An upload as the maintainers of the project see it. See docs/api/projects.md#8. */
const Upload = z.object({
  id: uploadId,
  size: z.int().describe('Bytes'),
  filename: z.string(),
  created_at: time,
  uploaded_by: z
    .object({ id, name: z.string(), username: z.string() })
    .nullable()
    .describe('Null if the user was deleted'),
});

const maintained = onProject({ level: Access.Maintainer });

export const listUploads = operation({
  name: 'projects.uploads.list',
  summary: 'Files that were uploaded for the texts of a project, newest first',
  http: get('/projects/:id/uploads'),
  access: maintained,
  input: z.object(projectRef),
  output: page(Upload),
});

export const getUploadById = operation({
  name: 'projects.uploads.get-by-id',
  summary: 'A file that was uploaded for the texts of a project',
  refusals: ['common.not_found'],
  http: get('/projects/:id/uploads/:upload_id'),
  access: maintained,
  input: z.object({ ...projectRef, upload_id: uploadId }),
  output: bytes(),
});

export const deleteUpload = operation({
  name: 'projects.uploads.delete',
  summary: 'Remove a file that was uploaded for the texts of a project',
  description: 'By its id, or by secret and filename. Links in texts are not removed.',
  refusals: ['common.not_found'],
  http: [del('/projects/:id/uploads/:upload_id'), del('/projects/:id/uploads/:secret/:filename')],
  access: maintained,
  input: z
    .object({
      ...projectRef,
      upload_id: uploadId.optional(),
      secret: z.string().optional(),
      filename: z.string().optional(),
    })
    .refine(...atLeastOneOf('upload_id', 'secret')),
  output: nothing(),
});

export const getProjectAvatar = operation({
  name: 'projects.avatars.get-of-project',
  summary: 'The picture of a project',
  http: [get('/projects/:id/avatar'), get('/uploads/-/system/project/avatar/:id/:filename', { atRoot: true })],
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, filename: z.string().optional() }),
  output: bytes('image/png'),
});

export const getGroupAvatar = operation({
  name: 'projects.avatars.get-of-group',
  summary: 'The picture of a group',
  http: [get('/groups/:id/avatar'), get('/uploads/-/system/group/avatar/:id/:filename', { atRoot: true })],
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, filename: z.string().optional() }),
  output: bytes('image/png'),
});

export const setGroupAvatar = operation({
  name: 'projects.avatars.set-of-group',
  summary: 'Set the picture of a group',
  http: put('/groups/:id/avatar'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, file: uploadedFile(avatarLimit) }),
  output: GroupDetail,
});
