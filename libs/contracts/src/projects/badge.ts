import { z } from 'zod';
import {
  Access,
  atLeastOneOf,
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
  text,
} from '../operation';

const Rendered = z.object({
  link_url: z.string(),
  image_url: z.string(),
  rendered_link_url: z.string(),
  rendered_image_url: z.string(),
});

/** An image with a link, shown on a project. Placeholders are kept as written and resolved on read. Source: specification 2.13. */
export const Badge = Rendered.extend({ id, name: z.string().nullable(), kind: z.enum(['project', 'group']) });
export type Badge = z.infer<typeof Badge>;

export const badgeErrors = errors('badge', {
  notFound: { status: 404, message: '404 Badge Not Found', means: 'No such badge of that project or group.' },
  ofGroup: {
    status: 403,
    message: '403 Forbidden - To delete a Group badge please use the Group endpoint',
    means: 'The badge belongs to a group above and cannot be changed through the project.',
  },
});

const list = { name: z.string().optional() };
const creation = { link_url: text, image_url: text, name: z.string().optional() };
const change = { badge_id: id, link_url: text.optional(), image_url: text.optional(), name: z.string().optional() };
const changed = ['link_url', 'image_url', 'name'] as const;
const rendering = { link_url: text, image_url: text };

/** Badges of the groups above, then the project's own. */
export const listProjectBadges = operation({
  name: 'projects.project-badges.list',
  http: get('/projects/:id/badges'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, ...list }),
  output: page(Badge),
});

/** What the URLs would be, without keeping them. */
export const renderProjectBadge = operation({
  name: 'projects.project-badges.render',
  http: get('/projects/:id/badges/render'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...rendering }),
  output: Rendered,
});

export const getProjectBadge = operation({
  name: 'projects.project-badges.get',
  http: get('/projects/:id/badges/:badge_id'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, badge_id: id }),
  output: Badge,
});

export const createProjectBadge = operation({
  name: 'projects.project-badges.create',
  http: post('/projects/:id/badges'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...creation }),
  output: Badge,
});

export const updateProjectBadge = operation({
  name: 'projects.project-badges.update',
  http: put('/projects/:id/badges/:badge_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...change }).refine(...atLeastOneOf(...changed)),
  output: Badge,
});

/** Only the project's own. */
export const deleteProjectBadge = operation({
  name: 'projects.project-badges.delete',
  http: del('/projects/:id/badges/:badge_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, badge_id: id }),
  output: nothing(),
});

export const listGroupBadges = operation({
  name: 'projects.group-badges.list',
  http: get('/groups/:id/badges'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, ...list }),
  output: page(Badge),
});

/** What the URLs would be on the first project of the group. */
export const renderGroupBadge = operation({
  name: 'projects.group-badges.render',
  http: get('/groups/:id/badges/render'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...rendering }),
  output: Rendered,
});

export const getGroupBadge = operation({
  name: 'projects.group-badges.get',
  http: get('/groups/:id/badges/:badge_id'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, badge_id: id }),
  output: Badge,
});

export const createGroupBadge = operation({
  name: 'projects.group-badges.create',
  http: post('/groups/:id/badges'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...creation }),
  output: Badge,
});

export const updateGroupBadge = operation({
  name: 'projects.group-badges.update',
  http: put('/groups/:id/badges/:badge_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...change }).refine(...atLeastOneOf(...changed)),
  output: Badge,
});

export const deleteGroupBadge = operation({
  name: 'projects.group-badges.delete',
  http: del('/groups/:id/badges/:badge_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, badge_id: id }),
  output: nothing(),
});
