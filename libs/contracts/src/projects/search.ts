import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { onGroup, onProject, operation, page, searchOf, searchOrder, signedIn, withArchived } from '../operation';
import { SimpleProject } from './project';

const ofInstance = searchOf('instance', 'projects');
const ofGroup = searchOf('group', 'projects');

/** See docs/api/search.md#3. */
export const searchProjects = operation({
  name: 'projects.search.projects',
  summary: 'Search for projects by name, path and description',
  ...ofInstance,
  access: signedIn(),
  input: z.object({ ...ofInstance.input, ...searchOrder, ...withArchived }),
  output: page(SimpleProject),
});

export const searchGroupProjects = operation({
  name: 'projects.group-search.projects',
  summary: 'Search for projects of a group and its subgroups',
  ...ofGroup,
  access: onGroup(),
  input: z.object({ ...ofGroup.input, ...searchOrder, ...withArchived }),
  output: page(SimpleProject),
});

const usersOfGroup = searchOf('group', 'users');
const usersOfProject = searchOf('project', 'users');

/** See docs/api/search.md#4. */
export const searchGroupUsers = operation({
  name: 'projects.group-search.users',
  summary: 'Search for members of a group, also inherited ones',
  ...usersOfGroup,
  access: onGroup(),
  input: z.object(usersOfGroup.input),
  output: page(UserSummary),
});

export const searchProjectUsers = operation({
  name: 'projects.project-search.users',
  summary: 'Search for members of a project, also inherited ones',
  ...usersOfProject,
  access: onProject(),
  input: z.object(usersOfProject.input),
  output: page(UserSummary),
});
