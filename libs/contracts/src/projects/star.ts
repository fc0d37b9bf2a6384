import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { get, onProject, operation, page, post, projectRef, time } from '../operation';
import { Project } from './project';

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
