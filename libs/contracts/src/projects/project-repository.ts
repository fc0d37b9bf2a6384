import { z } from 'zod';
import { Access, administrator, get, id, onProject, operation, post, projectRef, time } from '../operation';
import { Accepted } from './project';

export const housekeepProject = operation({
  name: 'projects.projects.housekeep',
  summary: 'Put the repository of a project in order',
  description: 'In the background.',
  http: post('/projects/:id/housekeeping'),
  access: onProject({ level: Access.Maintainer, feature: 'repository' }),
  input: z.object({ ...projectRef, task: z.enum(['prune', 'eager']).optional() }),
  output: Accepted,
});

export const getProjectStorage = operation({
  name: 'projects.projects.get-storage',
  summary: 'Where the repository of a project is on disk',
  http: get('/projects/:id/storage'),
  access: administrator(),
  input: z.object(projectRef),
  output: z.object({ project_id: id, disk_path: z.string(), created_at: time, repository_storage: z.string() }),
});
