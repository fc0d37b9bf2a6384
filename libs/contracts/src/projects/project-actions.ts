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
  http: post('/projects/:id/archive'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: Project,
});

export const unarchiveProject = operation({
  name: 'projects.projects.unarchive',
  http: post('/projects/:id/unarchive'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: Project,
});

/** 304 when it has the caller's star already. */
export const starProject = operation({
  name: 'projects.stars.create',
  http: post('/projects/:id/star'),
  access: onProject(),
  input: z.object(projectRef),
  output: Project,
});

/** 304 when it has no star of the caller. */
export const unstarProject = operation({
  name: 'projects.stars.delete',
  http: post('/projects/:id/unstar'),
  access: onProject(),
  input: z.object(projectRef),
  output: Project,
});

export const listStarrers = operation({
  name: 'projects.stars.list',
  http: get('/projects/:id/starrers'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, search: z.string().optional() }),
  output: page(z.object({ starred_since: time, user: UserSummary })),
});

/** Makes a copy that shares the objects of the original. */
export const forkProject = operation({
  name: 'projects.forks.create',
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
  http: get('/projects/:id/forks'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, ...projectFilters }),
  output: page(Project),
});

/** Says that a project is a fork of another; no bytes move. */
export const createForkRelation = operation({
  name: 'projects.forks.relate',
  http: post('/projects/:id/fork/:forked_from_id'),
  access: { on: 'administrator' },
  input: z.object({ ...projectRef, forked_from_id: id }),
  output: Project,
});

export const deleteForkRelation = operation({
  name: 'projects.forks.unrelate',
  http: del('/projects/:id/fork'),
  access: onProject({ level: Access.Owner }),
  input: z.object(projectRef),
  output: nothing(),
});

/** Moves a project to another namespace. Its old path redirects. */
export const transferProject = operation({
  name: 'projects.projects.transfer',
  http: put('/projects/:id/transfer'),
  access: onProject({ level: Access.Owner }),
  input: z.object({ ...projectRef, namespace: z.union([z.string(), z.int()]).describe('Id or path') }),
  output: Project,
});

/** The same, named from the group it goes to. */
export const transferProjectToGroup = operation({
  name: 'projects.projects.transfer-to-group',
  http: post('/groups/:id/projects/:project_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, project_id: z.string() }),
  output: GroupDetail,
});

/** Moves a group with all below it under another group, or to the root where none is given. */
export const transferGroup = operation({
  name: 'projects.groups.transfer',
  http: post('/groups/:id/transfer'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, group_id: id.optional() }),
  output: GroupDetail,
  timeoutSeconds: 120,
});

/** Users who are members in some way. */
export const listProjectUsers = operation({
  name: 'projects.projects.list-users',
  http: get('/projects/:id/users'),
  access: onProject(),
  input: z.object({ ...projectRef, search: z.string().optional(), skip_users: commaList(id).optional() }),
  output: page(UserSummary),
});

/** Percent of each language in the default branch. */
export const getLanguages = operation({
  name: 'projects.projects.get-languages',
  http: get('/projects/:id/languages'),
  access: onProject({ anonymous: true, feature: 'repository', levelInPrivate: Access.Reporter }),
  input: z.object(projectRef),
  output: z.record(z.string(), z.number()),
});
