import { z } from 'zod';
import {
  Access,
  errors,
  get,
  groupRef,
  id,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
} from '../operation';
import { GroupChoice, GroupDetail } from './group';
import { Project } from './project';

export const transferErrors = errors('transfer', {
  refused: {
    status: 400,
    message: '400 Bad request',
    means: 'The project or group cannot go there; the text says why.',
  },
});

export const transferProject = operation({
  name: 'projects.projects.transfer',
  summary: 'Move a project to another namespace',
  description: 'Its old path redirects.',
  refusals: ['transfer.refused'],
  http: put('/projects/:id/transfer'),
  access: onProject({ level: Access.Owner }),
  input: z.object({ ...projectRef, namespace: z.union([z.string(), z.int()]).describe('Id or path') }),
  output: Project,
});

export const transferProjectToGroup = operation({
  name: 'projects.projects.transfer-to-group',
  summary: 'Move a project into a group',
  description: 'Its old path redirects.',
  refusals: ['transfer.refused'],
  http: post('/groups/:id/projects/:project_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, project_id: z.string() }),
  output: GroupDetail,
});

export const transferGroup = operation({
  name: 'projects.groups.transfer',
  summary: 'Move a group under another one',
  description: 'With its content; without `group_id`, to the top level.',
  refusals: ['transfer.refused'],
  http: post('/groups/:id/transfer'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, group_id: id.optional() }),
  output: GroupDetail,
  timeoutSeconds: 120,
});

const search = z.string().optional();

export const listProjectTransferLocations = operation({
  name: 'projects.projects.list-transfer-locations',
  summary: 'Groups that a project could be moved to',
  description: 'Those in which the caller creates projects.',
  http: get('/projects/:id/transfer_locations'),
  access: onProject({ level: Access.Owner }),
  input: z.object({ ...projectRef, search }),
  output: page(GroupChoice),
});

export const listGroupTransferLocations = operation({
  name: 'projects.groups.list-transfer-locations',
  summary: 'Groups that a group could be moved to',
  description: 'Those in which the caller creates groups, and that are not below it.',
  http: get('/groups/:id/transfer_locations'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, search }),
  output: page(GroupChoice),
});
