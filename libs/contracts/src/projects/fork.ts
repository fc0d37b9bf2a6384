import { z } from 'zod';
import { Access, del, get, id, nothing, onProject, operation, page, post, projectRef } from '../operation';
import { Project, projectFilters } from './project';
import { visibility } from './settings';

export const forkProject = operation({
  name: 'projects.forks.create',
  summary: 'Fork a project',
  description:
    "Creates a copy that shares the objects of the original, in the given namespace or the caller's own. It is filled in the background; `import_status` has the progress.",
  http: post('/projects/:id/fork'),
  access: onProject({ feature: 'repository', levelInPrivate: Access.Reporter }),
  input: z.object({
    ...projectRef,
    namespace: z.string().optional().describe('Id or path'),
    namespace_id: id.optional(),
    namespace_path: z.string().optional(),
    name: z.string().optional(),
    path: z.string().optional(),
    description: z.string().max(2000).optional(),
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
