import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { Access, commaList, get, id, onProject, operation, page, projectRef } from '../operation';

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
  access: onProject({
    anonymous: true,
    feature: 'repository',
    levelInPrivate: Access.Reporter,
    ability: 'read_code',
  }),
  input: z.object(projectRef),
  output: z.record(z.string(), z.number()),
});
