import { z } from 'zod';
import {
  Access,
  attachmentLimit,
  avatarLimit,
  bytes,
  get,
  groupRef,
  onGroup,
  onProject,
  operation,
  post,
  projectRef,
  put,
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
