import { z } from 'zod';
import { Access, onProject, operation, post, projectRef } from '../operation';
import { Project } from './project';

export const archiveProject = operation({
  name: 'projects.projects.archive',
  summary: 'Archive a project',
  description: 'It can be read, and takes no changes.',
  http: post('/projects/:id/archive'),
  access: onProject({ level: Access.Owner, ability: 'archive_project' }),
  input: z.object(projectRef),
  output: Project,
});

export const unarchiveProject = operation({
  name: 'projects.projects.unarchive',
  summary: 'Take a project out of the archive',
  http: post('/projects/:id/unarchive'),
  access: onProject({ level: Access.Owner, ability: 'archive_project' }),
  input: z.object(projectRef),
  output: Project,
});
