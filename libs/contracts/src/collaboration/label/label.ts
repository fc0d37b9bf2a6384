import { z } from 'zod';
import {
  Access,
  atLeastOneOf,
  del,
  errors,
  get,
  id,
  internal,
  nothing,
  ofGroups,
  ofProjects,
  onProject,
  operation,
  type Parent,
  type ParentRule,
  page,
  planning,
  post,
  projectRef,
  put,
  someChangeOf,
  time,
} from '../../operation';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';

/** A label inside other records: boards, label events, lists with_labels_details. */
export const BasicLabel = z.object({
  id,
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  description_html: z.string().nullable(),
  text_color: z.string(),
});
export type BasicLabel = z.infer<typeof BasicLabel>;

/** See docs/api/labels.md#1. */
export const Label = BasicLabel.extend({
  subscribed: z.boolean(),
  open_issues_count: z.int().optional().describe('With with_counts'),
  closed_issues_count: z.int().optional(),
  open_merge_requests_count: z.int().optional(),
  priority: z.int().nullable().optional().describe('In projects only'),
  is_project_label: z.boolean().optional().describe('In projects only'),
});
export type Label = z.infer<typeof Label>;

export const labelErrors = errors('label', {
  notFound: { status: 404, message: '404 Label Not Found', means: 'No such label here.' },
  exists: { status: 409, message: 'Label already exists', means: 'Another label has the name.' },
  noGroup: {
    status: 400,
    message: 'Project does not belong to a group.',
    means: 'Only labels of projects in a group can become labels of the group.',
  },
});

const list = {
  with_counts: z.boolean().default(false),
  include_ancestor_groups: z.boolean().default(true),
  search: z.string().optional().describe('Part of the name'),
};
const name = writtenProse(titleLimit).refine((text) => !text.includes(','), 'is invalid');
const color = z.string().describe('#RGB, #RRGGBB or a CSS colour name');
const description = prose(descriptionLimit).nullable().optional();

const creation = { name, color, description };
/** Old clients send `name` in the query or the body; newer ones send the name or id in the path. */
const chosen = { label_id: z.string().optional().describe('Id or name'), name: z.string().optional() };
const change = { new_name: name.optional(), color: color.optional(), description };

/** Parameters of only one of the two. */
interface OwnParameters<L extends z.ZodRawShape, P extends z.ZodRawShape> {
  list: L;
  /** Of new and changed labels. */
  label: P;
}

/** Labels of projects and of groups. */
function labelsOf<R extends ParentRule, const L extends z.ZodRawShape, const P extends z.ZodRawShape>(
  { kind, path, ref, on }: Parent<R>,
  own: OwnParameters<L, P>,
) {
  const label = { ...ref, label_id: z.string() };
  return {
    list: operation({
      name: `collaboration.${kind}-labels.list`,
      http: get(`${path}/labels`),
      access: on({ anonymous: true, feature: planning }),
      summary: `Labels of a ${kind} and of the groups above it`,
      input: z.object({ ...ref, ...list, ...own.list }),
      output: page(Label),
    }),
    get: operation({
      name: `collaboration.${kind}-labels.get`,
      http: get(`${path}/labels/:label_id`),
      access: on({ anonymous: true, feature: planning }),
      summary: 'One label, by id or name',
      input: z.object({ ...label, include_ancestor_groups: z.boolean().default(true) }),
      output: Label,
    }),
    create: operation({
      name: `collaboration.${kind}-labels.create`,
      refusals: ['label.exists', 'common.invalid_record'],
      http: post(`${path}/labels`),
      access: on({ level: Access.Reporter, feature: planning }),
      summary: 'Make a label',
      input: z.object({ ...ref, ...creation, ...own.label }),
      output: Label,
    }),
    update: operation({
      name: `collaboration.${kind}-labels.update`,
      refusals: ['label.not_found', 'label.exists', 'common.invalid_record'],
      http: [put(`${path}/labels/:label_id`), put(`${path}/labels`, { deprecated: true })],
      access: on({ level: Access.Reporter, feature: planning }),
      summary: 'Change a label',
      input: z
        .object({ ...ref, ...chosen, ...change, ...own.label })
        .refine(...atLeastOneOf('label_id', 'name'))
        .refine(...someChangeOf('new_name', 'color', 'description', ...Object.keys(own.label))),
      output: Label,
    }),
    delete: operation({
      name: `collaboration.${kind}-labels.delete`,
      refusals: ['label.not_found'],
      http: [del(`${path}/labels/:label_id`), del(`${path}/labels`, { deprecated: true })],
      access: on({ level: Access.Reporter, feature: planning }),
      summary: 'Remove a label, also from everything that carries it',
      input: z.object({ ...ref, ...chosen }).refine(...atLeastOneOf('label_id', 'name')),
      output: nothing(),
    }),
    subscribe: operation({
      name: `collaboration.${kind}-labels.subscribe`,
      description: '304 when nothing changes.',
      http: post(`${path}/labels/:label_id/subscribe`),
      access: on({ feature: planning }),
      summary: 'Subscribe the caller',
      input: z.object(label),
      output: Label,
    }),
    unsubscribe: operation({
      name: `collaboration.${kind}-labels.unsubscribe`,
      description: '304 when nothing changes.',
      http: post(`${path}/labels/:label_id/unsubscribe`),
      access: on({ feature: planning }),
      summary: 'End the subscription of the caller',
      input: z.object(label),
      output: Label,
    }),
  };
}

export const {
  list: listProjectLabels,
  get: getProjectLabel,
  create: createProjectLabel,
  update: updateProjectLabel,
  delete: deleteProjectLabel,
  subscribe: subscribeToProjectLabel,
  unsubscribe: unsubscribeFromProjectLabel,
} = labelsOf(ofProjects, { list: {}, label: { priority: z.int().min(0).nullable().optional() } });

export const {
  list: listGroupLabels,
  get: getGroupLabel,
  create: createGroupLabel,
  update: updateGroupLabel,
  delete: deleteGroupLabel,
  subscribe: subscribeToGroupLabel,
  unsubscribe: unsubscribeFromGroupLabel,
} = labelsOf(ofGroups, { list: { include_descendant_groups: z.boolean().default(false) }, label: {} });

export const promoteLabel = operation({
  name: 'collaboration.project-labels.promote',
  description:
    "Makes a project's label one of its group; labels of the same name in all projects of the group become it.",
  refusals: ['label.not_found', 'label.no_group', 'common.forbidden without Reporter in the group'],
  http: put('/projects/:id/labels/:label_id/promote'),
  access: onProject({ level: Access.Reporter, feature: planning }),
  summary: 'Make the label one of the group',
  input: z.object({ ...projectRef, label_id: z.string() }),
  output: Label,
});

/** A label in hook payloads. */
export const PayloadLabel = z.object({
  id,
  title: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  type: z.enum(['ProjectLabel', 'GroupLabel']),
  project_id: id.nullable(),
  group_id: id.nullable(),
  template: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type PayloadLabel = z.infer<typeof PayloadLabel>;

/** Labels by their ids, of any owner; deleted ones are omitted. */
export const labelsByIds = operation({
  name: 'collaboration.labels.tell',
  access: internal(),
  isRead: true,
  input: z.object({ ids: z.array(id).max(1000) }),
  output: z.array(PayloadLabel),
});
