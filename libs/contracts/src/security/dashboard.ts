import { z } from 'zod';
import { del, get, id, nothing, operation, page, post, signedIn } from '../operation';

/** A project on a user's security dashboard. See docs/api/vulnerabilities.md#5. */
export const DashboardProject = z.object({
  id,
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
});

export const listDashboardProjects = operation({
  name: 'security.dashboard.list',
  summary: "Projects on the caller's security dashboard",
  description: 'Only those to which the caller still has Developer access.',
  http: get('/security/projects'),
  access: signedIn(),
  tier: 'enterprise',
  input: z.object({}),
  output: page(DashboardProject),
});

export const addDashboardProject = operation({
  name: 'security.dashboard.add',
  summary: "Put a project on the caller's security dashboard",
  description: 'Needs Developer access to it.',
  refusals: [
    'project.not_found',
    'common.forbidden without Developer access to the project',
    'vulnerability.too_many_on_dashboard',
  ],
  http: post('/security/projects'),
  access: signedIn(),
  tier: 'enterprise',
  input: z.object({ project_id: id }),
  output: DashboardProject,
});

export const removeDashboardProject = operation({
  name: 'security.dashboard.remove',
  summary: "Take a project off the caller's security dashboard",
  refusals: ['project.not_found when it is not there'],
  http: del('/security/projects/:project_id'),
  access: signedIn(),
  tier: 'enterprise',
  input: z.object({ project_id: id }),
  output: nothing(),
});
