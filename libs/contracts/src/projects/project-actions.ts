import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  commaList,
  del,
  errors,
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
} from '../operation';
import { GroupDetail } from './group';
import { Project, projectFilters } from './project';
import { visibility } from './settings';

export const transferErrors = errors('transfer', {
  refused: {
    status: 400,
    message: '400 Bad request',
    means: 'The project or group cannot go there; the text says why.',
  },
});

export const archiveProject = operation({
  name: 'projects.projects.archive',
  summary: 'Archive a project',
  description: 'It can be read, and takes no changes.',
  http: post('/projects/:id/archive'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: Project,
});

export const unarchiveProject = operation({
  name: 'projects.projects.unarchive',
  summary: 'Take a project out of the archive',
  http: post('/projects/:id/unarchive'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: Project,
});

export const starProject = operation({
  name: 'projects.stars.create',
  summary: 'Star a project',
  description: "304 when it has the caller's star already.",
  http: post('/projects/:id/star'),
  access: onProject(),
  input: z.object(projectRef),
  output: Project,
});

export const unstarProject = operation({
  name: 'projects.stars.delete',
  summary: 'Take back the star of a project',
  description: '304 when it has no star of the caller.',
  http: post('/projects/:id/unstar'),
  access: onProject(),
  input: z.object(projectRef),
  output: Project,
});

export const listStarrers = operation({
  name: 'projects.stars.list',
  summary: 'Users who have starred a project',
  http: get('/projects/:id/starrers'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, search: z.string().optional() }),
  output: page(z.object({ starred_since: time, user: UserSummary })),
});

export const forkProject = operation({
  name: 'projects.forks.create',
  summary: 'Fork a project',
  description:
    "Makes a copy that shares the objects of the original, in the namespace given or in the caller's own. It is filled in the background; `import_status` says how far it is.",
  http: post('/projects/:id/fork'),
  access: onProject({ feature: 'repository', levelInPrivate: Access.Reporter }),
  input: z.object({
    ...projectRef,
    namespace: z.string().optional().describe('Id or path'),
    namespace_id: id.optional(),
    namespace_path: z.string().optional(),
    name: z.string().optional(),
    path: z.string().optional(),
    description: z.string().optional(),
    visibility: visibility.optional(),
  }),
  output: Project,
  timeoutSeconds: 120,
});

export const listForks = operation({
  name: 'projects.forks.list',
  summary: 'Forks of a project',
  http: get('/projects/:id/forks'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, ...projectFilters }),
  output: page(Project),
});

export const createForkRelation = operation({
  name: 'projects.forks.relate',
  summary: 'Make a project the fork of another',
  description: 'No bytes move.',
  http: post('/projects/:id/fork/:forked_from_id'),
  access: { on: 'administrator' },
  input: z.object({ ...projectRef, forked_from_id: id }),
  output: Project,
});

export const deleteForkRelation = operation({
  name: 'projects.forks.unrelate',
  summary: 'Make a fork a project of its own',
  http: del('/projects/:id/fork'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: nothing(),
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
  description: 'With all below it; to the top where no `group_id` is given.',
  refusals: ['transfer.refused'],
  http: post('/groups/:id/transfer'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, group_id: id.optional() }),
  output: GroupDetail,
  timeoutSeconds: 120,
});

export const listProjectUsers = operation({
  name: 'projects.projects.list-users',
  summary: 'Users who are members of a project in some way',
  http: get('/projects/:id/users'),
  access: onProject(),
  input: z.object({ ...projectRef, search: z.string().optional(), skip_users: commaList(id).optional() }),
  output: page(UserSummary),
});

export const getLanguages = operation({
  name: 'projects.projects.get-languages',
  summary: 'Languages of a project, in percent',
  description: 'Of the default branch.',
  http: get('/projects/:id/languages'),
  access: onProject({ anonymous: true, feature: 'repository', levelInPrivate: Access.Reporter }),
  input: z.object(projectRef),
  output: z.record(z.string(), z.number()),
});
