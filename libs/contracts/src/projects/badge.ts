import { z } from 'zod';
import {
  Access,
  type AccessLevel,
  del,
  errors,
  get,
  id,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  put,
  someChangeOf,
} from '../operation';

const Rendered = z.object({
  link_url: z.string(),
  image_url: z.string(),
  rendered_link_url: z.string(),
  rendered_image_url: z.string(),
});

/**
 * An image with a link on a project. Placeholders are stored unchanged and resolved on read. See
 * docs/api/projects.md#4.
 */
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
const url = z.string().trim().min(1);
const name = z.string().max(255);
const creation = { link_url: url, image_url: url, name: name.optional() };
const change = { badge_id: id, link_url: url.optional(), image_url: url.optional(), name: name.optional() };
const changed = ['link_url', 'image_url', 'name'] as const;
const rendering = { link_url: url, image_url: url };

/** @param level from which on badges are changed */
function badgesOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>, level: AccessLevel) {
  const badge = { ...ref, badge_id: id };
  return {
    list: operation({
      name: `projects.${kind}-badges.list`,
      summary: `Badges of a ${kind}`,
      description: 'Those of a project come after those of the groups above it.',
      http: get(`${path}/badges`),
      access: on({ anonymous: true }),
      input: z.object({ ...ref, ...list }),
      output: page(Badge),
    }),
    render: operation({
      name: `projects.${kind}-badges.render`,
      summary: `Preview the URLs of a badge of a ${kind}`,
      description: 'Nothing is stored. Placeholders of a group are resolved with its first project.',
      http: get(`${path}/badges/render`),
      access: on({ level }),
      input: z.object({ ...ref, ...rendering }),
      output: Rendered,
    }),
    get: operation({
      name: `projects.${kind}-badges.get`,
      summary: `One badge of a ${kind}`,
      refusals: ['badge.not_found'],
      http: get(`${path}/badges/:badge_id`),
      access: on({ anonymous: true }),
      input: z.object(badge),
      output: Badge,
    }),
    create: operation({
      name: `projects.${kind}-badges.create`,
      summary: `Add a badge to a ${kind}`,
      description:
        'The placeholders `%{project_path}`, `%{project_id}`, `%{project_name}`, `%{default_branch}` and `%{commit_sha}` are resolved on each read.',
      http: post(`${path}/badges`),
      access: on({ level }),
      input: z.object({ ...ref, ...creation }),
      output: Badge,
    }),
    update: operation({
      name: `projects.${kind}-badges.update`,
      summary: `Change a badge of a ${kind}`,
      refusals: ['badge.not_found'],
      http: put(`${path}/badges/:badge_id`),
      access: on({ level }),
      input: z.object({ ...ref, ...change }).refine(...someChangeOf(...changed)),
      output: Badge,
    }),
    delete: operation({
      name: `projects.${kind}-badges.delete`,
      summary: `Delete a badge of a ${kind}`,
      description: "Through a project only the project's own; those of a group through the group.",
      refusals: ['badge.not_found', 'badge.of_group'],
      http: del(`${path}/badges/:badge_id`),
      access: on({ level }),
      input: z.object(badge),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectBadges,
  render: renderProjectBadge,
  get: getProjectBadge,
  create: createProjectBadge,
  update: updateProjectBadge,
  delete: deleteProjectBadge,
} = badgesOf(ofProjects, Access.Maintainer);

export const {
  list: listGroupBadges,
  render: renderGroupBadge,
  get: getGroupBadge,
  create: createGroupBadge,
  update: updateGroupBadge,
  delete: deleteGroupBadge,
} = badgesOf(ofGroups, Access.Owner);
