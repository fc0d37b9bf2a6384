import { z } from 'zod';
import { abilityNames, type Caller, event, features, id, internal, operation } from '../operation';

const level = z.union([z.literal(0), z.literal(10), z.literal(20), z.literal(30), z.literal(40), z.literal(50)]);
const visibility = z.enum(['private', 'internal', 'public']);
/** Additional abilities of member roles. */
const abilities = z.array(z.enum(abilityNames)).optional();
const featureAccess = z.enum(['disabled', 'private', 'enabled']);

const project = z.object({
  id,
  name: z.string(),
  path: z.string(),
  fullPath: z.string(),
  nameWithNamespace: z.string(),
  namespaceId: id,
  namespaceKind: z.enum(['group', 'user']),
  groupIds: z.array(id),
  ownerId: id.optional(),
  creatorId: id,
  visibility,
  isArchived: z.boolean(),
  defaultBranch: z.string().nullable(),
  description: z.string().nullable(),
  createdAt: z.string(),
  storage: z.string(),
  isReadOnly: z.boolean(),
  features: z.record(z.enum(features), featureAccess),
  publicBuilds: z.boolean(),
  ci: z
    .object({
      configPath: z.string().nullable(),
      cancelsRedundant: z.boolean(),
      timeoutSeconds: z.int(),
      gitDepth: z.int(),
    })
    .optional(),
  lfsEnabled: z.boolean().optional(),
  accessLevel: level,
  abilities,
});

const group = z.object({
  id,
  name: z.string(),
  path: z.string(),
  fullPath: z.string(),
  fullName: z.string(),
  parentId: id.nullable(),
  ancestorIds: z.array(id),
  visibility,
  createdAt: z.string(),
  accessLevel: level,
  abilities,
  /** Only from `projects.access.group`. */
  readsBelow: z.boolean().optional(),
});

/** The caller, on whom the level depends. */
const principalFields = {
  user_id: id.nullable(),
  is_admin: z.boolean().default(false),
  is_external: z.boolean().default(false),
  /** Of a deploy token, which is no user. */
  opens: z.object({ kind: z.enum(['project', 'group']), id }).optional(),
  /** Project of the running job with this token. */
  job_project_id: id.optional(),
};

/** The caller as input of the operations here. Deploy tokens and replication nodes are no users. */
export const callerInput = (
  caller: Pick<Caller, 'id' | 'isAdmin' | 'isExternal' | 'opens' | 'projectId'> | undefined,
) => ({
  user_id: caller && caller.id > 0 ? caller.id : null,
  is_admin: caller?.isAdmin ?? false,
  is_external: caller?.isExternal ?? false,
  ...(caller?.opens && { opens: caller.opens }),
  ...(caller?.projectId !== undefined && { job_project_id: caller.projectId }),
});

/**
 * The facts of a project and the level of a user in it. The caller decides whether it may be read, with
 * `readsProject`. `redirected` is true for an old path. `opens_for_job` is true if a job token is not excluded from
 * the project: {@link opensForJob} checks it, since earlier versions do not return it. See docs/api/pipelines.md#13.
 * @throws project.not_found
 */
export const resolveProject = operation({
  name: 'projects.access.project',
  access: internal(),
  isRead: true,
  input: z.object({ project: z.string().describe('Id or full path'), ...principalFields }),
  output: z.object({ project, redirected: z.boolean(), opens_for_job: z.boolean().optional() }),
});

/** Whether a caller may access a project at all: a job token may access its own, and those that allow it. */
export const opensForJob = (
  caller: Pick<Caller, 'projectId'> | undefined,
  answer: { project: { id: number }; opens_for_job?: boolean | undefined },
): boolean =>
  caller?.projectId === undefined || caller.projectId === answer.project.id || answer.opens_for_job === true;

/** The same for a group. @throws group.not_found */
export const resolveGroup = operation({
  name: 'projects.access.group',
  access: internal(),
  isRead: true,
  input: z.object({ group: z.string().describe('Id or full path'), ...principalFields }),
  output: z.object({ group, redirected: z.boolean() }),
});

/** References of many projects, for views and batches; unknown ones are omitted. At most 1,000. */
export const projectRefs = operation({
  name: 'projects.access.projects',
  access: internal(),
  isRead: true,
  input: z.object({ ids: z.array(id).max(1000), ...principalFields }),
  output: z.array(project),
});

/** The projects that groups have named for file templates and that are below them still, in the order of the groups. */
export const templateProjects = operation({
  name: 'projects.access.template-projects',
  access: internal(),
  isRead: true,
  input: z.object({ group_ids: z.array(id).max(100) }),
  output: z.array(project),
});

/** References of many groups; unknown ones are omitted. At most 1,000. */
export const groupRefs = operation({
  name: 'projects.access.groups',
  access: internal(),
  isRead: true,
  input: z.object({ ids: z.array(id).max(1000), ...principalFields }),
  output: z.array(group),
});

/**
 * Ids of the projects a user reads, in ascending order, after `after_id`; for lists across projects
 * (instance-wide issues and the like). `group_id` narrows to a group and its descendants.
 */
export const readableProjects = operation({
  name: 'projects.access.readable-projects',
  access: internal(),
  isRead: true,
  input: z.object({
    ...principalFields,
    group_id: id.optional(),
    include_archived: z.boolean().default(true),
    after_id: z.int().default(0),
    limit: z.int().min(1).max(10_000).default(10_000),
  }),
  output: z.array(
    z.object({ id, visibility, accessLevel: level, abilities, features: z.record(z.enum(features), featureAccess) }),
  ),
});

/** Groups below a group, itself first. */
export const descendantGroups = operation({
  name: 'projects.access.descendant-groups',
  access: internal(),
  isRead: true,
  input: z.object({ group_id: id }),
  output: z.array(id),
});

/** The level of many users in one project or group; users without any are omitted. */
export const memberLevels = operation({
  name: 'projects.access.member-levels',
  access: internal(),
  isRead: true,
  input: z
    .object({ project_id: id.optional(), group_id: id.optional(), user_ids: z.array(id).max(1000).optional() })
    .refine((input) => (input.project_id === undefined) !== (input.group_id === undefined)),
  output: z.array(z.object({ user_id: id, access_level: level })),
});

const actor = { actor_id: id.optional().describe('The user who did it; absent for a consequence of another event') };

const before = z
  .object({ full_path: z.string(), name: z.string(), visibility })
  .partial()
  .optional()
  .describe('The old values of the changed fields');

/** A project changed: path, visibility, features, storage or settings. Caches drop it. */
export const projectChanged = event({
  name: 'projects.project.changed',
  data: z.object({
    project_id: id,
    full_path: z.string(),
    change: z.enum(['created', 'updated', 'renamed', 'transferred']),
    before,
    ...actor,
  }),
});

/** A project was deleted; each service deletes its records of it. */
export const projectDeleted = event({
  name: 'projects.project.deleted',
  data: z.object({
    project_id: id,
    full_path: z.string(),
    storage: z.string(),
    name: z.string().optional().describe('Absent for a project whose creation did not finish'),
    visibility: visibility.optional(),
    namespace_id: id.optional(),
    group_ids: z.array(id).optional().describe('Groups above, nearest first'),
    owner_id: id.optional().describe('Of a project in a personal namespace'),
    ...actor,
  }),
});

/** A group changed: path, visibility or parent. That may change everything below it. */
export const groupChanged = event({
  name: 'projects.group.changed',
  data: z.object({
    group_id: id,
    full_path: z.string(),
    change: z.enum(['created', 'updated', 'renamed', 'transferred']),
    before,
    ...actor,
  }),
});

/** A group was deleted; published with the same id if repeated. */
export const groupDeleted = event({
  name: 'projects.group.deleted',
  data: z.object({
    group_id: id,
    full_path: z.string(),
    name: z.string().optional(),
    ancestor_ids: z.array(id).optional().describe('Groups above, nearest first'),
    ...actor,
  }),
});

/** A membership was added, changed or removed; `access_level` null when removed. */
export const memberChanged = event({
  name: 'projects.member.changed',
  data: z.object({
    source_type: z.enum(['project', 'group']),
    source_id: id,
    user_id: id,
    access_level: level.nullable(),
    action: z.enum(['add', 'update', 'remove']).optional(),
    before: z.object({ access_level: level }).partial().optional().describe('The old values of the changed fields'),
    expires_at: z.string().nullable().optional().describe('The last day on which it is valid'),
    ...actor,
  }),
});
