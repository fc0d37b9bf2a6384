import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { CustomAttribute } from '../identity/user-view';
import {
  Access,
  anyone,
  atLeastOneOf,
  avatarLimit,
  commaList,
  del,
  errors,
  get,
  hash,
  id,
  keysetPaging,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  signedIn,
  someChangeOf,
  time,
  timestamp,
  uploadedFile,
} from '../operation';
import { Namespace } from './namespace';
import {
  containerExpirationPolicy,
  containerExpirationPolicyAttributes,
  featureLevels,
  featureSwitches,
  projectSettings,
  visibility,
} from './settings';

/** A project as every reader sees it, also anonymous ones. */
export const SimpleProject = z.object({
  id,
  description: z.string().nullable(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: time,
  default_branch: z.string().nullable().describe('Null while the repository is empty'),
  tag_list: z.array(z.string()),
  topics: z.array(z.string()),
  ssh_url_to_repo: z.string(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  readme_url: z.string().nullable(),
  avatar_url: z.string().nullable(),
  forks_count: z.int(),
  star_count: z.int(),
  last_activity_at: time,
  visibility,
  namespace: Namespace,
});
export type SimpleProject = z.infer<typeof SimpleProject>;

const memberAccess = z.object({ access_level: z.int(), notification_level: z.int() }).nullable();

export const SharedWithGroup = z.object({
  group_id: id,
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: z.string().nullable(),
});
export type SharedWithGroup = z.infer<typeof SharedWithGroup>;

export const ProjectStatistics = z.object({
  commit_count: z.int(),
  storage_size: z.int().describe('Bytes, of all together'),
  repository_size: z.int(),
  wiki_size: z.int(),
  uploads_size: z.int(),
  job_artifacts_size: z.int(),
  packages_size: z.int().optional().describe('Absent in answers of older versions'),
  lfs_objects_size: z.int().optional().describe('Absent in answers of older versions'),
});
export type ProjectStatistics = z.infer<typeof ProjectStatistics>;

/** Additional fields for signed-in readers; some of them by role only. See docs/api/projects.md#1. */
const fullFields = z.object({
  _links: z.record(z.string(), z.string()),
  empty_repo: z.boolean(),
  archived: z.boolean(),
  owner: UserSummary,
  creator_id: id,
  open_issues_count: z.int().describe('For users who may read issues; includes confidential ones for reporters'),
  import_status: z.enum(['none', 'scheduled', 'started', 'finished', 'failed']),
  import_error: z.string().nullable(),
  forked_from_project: SimpleProject,
  shared_with_groups: z.array(SharedWithGroup),
  container_registry_image_prefix: z.string(),
  container_expiration_policy: containerExpirationPolicy.extend({ next_run_at: time.nullable() }),
  can_create_merge_request_in: z.boolean(),
  runners_token: z.string(),
  repository_storage: z.string(),
  public_jobs: z.boolean(),
  emails_enabled: z.boolean(),
  updated_at: time,
  permissions: z.object({ project_access: memberAccess, group_access: memberAccess }),
  statistics: ProjectStatistics,
  custom_attributes: z.array(CustomAttribute).describe('For administrators who ask for them'),
  ...featureLevels,
  ...featureSwitches,
  ...projectSettings,
});

export const Project = SimpleProject.extend(fullFields.partial().shape);
export type Project = z.infer<typeof Project>;

export const Accepted = z.object({ message: z.string() });

export const projectErrors = errors('project', {
  notFound: { status: 404, message: '404 Project Not Found', means: 'No such project, or none the caller may see.' },
  limitReached: {
    status: 403,
    message: { limit_reached: ['Your project limit is reached! Please contact your administrator to increase it'] },
    means: 'The user has as many projects as projects_limit allows.',
  },
  namespaceNotValid: {
    status: 400,
    message: { namespace: ['is not valid'] },
    means: 'No such namespace, or the caller may not create projects there.',
  },
  keysetUnsupported: {
    status: 405,
    key: 'error',
    message: 'Keyset pagination is not yet available for this type of request',
    means: 'Keyset pages come in order of id only.',
  },
  archived: {
    status: 403,
    message: '403 Forbidden - The project is archived.',
    means: 'An archived project takes no changes until it is unarchived.',
  },
});

/** Of one project. */
export const mostTopics = 100;
const topics = commaList(z.string().max(255), mostTopics);

const attributes = {
  path: z.string().optional(),
  description: z.string().nullable().optional(),
  visibility: visibility.optional(),
  default_branch: z.string().optional(),
  tag_list: topics.optional(),
  topics: topics.optional(),
  avatar: z.union([uploadedFile(avatarLimit), z.literal('')]).optional(),
  container_expiration_policy_attributes: containerExpirationPolicyAttributes.optional(),
  repository_storage: z.string().optional(),
  ...z.object({ ...featureLevels, ...featureSwitches, ...projectSettings }).partial().shape,
  public_jobs: z.boolean().optional(),
  emails_enabled: z.boolean().optional(),
};

const creation = {
  ...attributes,
  name: z.string().optional(),
  namespace_id: id.nullable().optional(),
  initialize_with_readme: z.boolean().default(false),
  import_url: z.string().optional(),
};

export const createProject = operation({
  name: 'projects.projects.create',
  summary: 'Create a project',
  description:
    "With its repository, in the namespace `namespace_id` or the caller's own. Either `name` or `path` is required; the other is derived from it. Some settings are only stored and returned: their descriptions say so.",
  refusals: [
    'project.limit_reached',
    'project.namespace_not_valid',
    'common.invalid_record for a path that is taken or not allowed',
  ],
  http: post('/projects'),
  access: signedIn(),
  input: z.object(creation).refine(...atLeastOneOf('name', 'path')),
  output: Project,
  timeoutSeconds: 120,
});

export const createProjectForUser = operation({
  name: 'projects.projects.create-for-user',
  summary: 'Create a project for a user',
  description: "As with one's own; the user becomes its owner.",
  refusals: ['user.not_found', 'project.limit_reached', 'project.namespace_not_valid'],
  http: post('/projects/user/:user_id'),
  access: { on: 'administrator' },
  input: z.object({ ...creation, user_id: id }).refine(...atLeastOneOf('name', 'path')),
  output: Project,
  timeoutSeconds: 120,
});

export const projectFilters = {
  archived: z.boolean().optional(),
  visibility: visibility.optional(),
  order_by: z.enum(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']).default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
  search: z.string().optional(),
  search_namespaces: z.boolean().default(false),
  simple: z.boolean().default(false),
  owned: z.boolean().default(false),
  membership: z.boolean().default(false),
  starred: z.boolean().default(false),
  statistics: z.boolean().default(false),
  topic: commaList(z.string()).optional(),
  with_issues_enabled: z.boolean().optional(),
  with_merge_requests_enabled: z.boolean().optional(),
  min_access_level: z.int().optional(),
  last_activity_after: timestamp.optional(),
  last_activity_before: timestamp.optional(),
  repository_storage: z.string().optional(),
  with_custom_attributes: z.boolean().default(false),
  custom_attributes: hash.optional(),
};

export const listProjects = operation({
  name: 'projects.projects.list',
  summary: 'Projects that the caller reads',
  description: 'Public ones for callers without a credential. Keyset pages come in order of `id` only.',
  refusals: ['project.keyset_unsupported'],
  http: get('/projects'),
  access: anyone(),
  input: z.object({ ...projectFilters, ...keysetPaging }),
  output: page(Project),
});

export const listUserProjects = operation({
  name: 'projects.projects.list-of-user',
  summary: 'Projects of a user',
  description: "Projects in the user's own namespace that the caller may read.",
  http: get('/users/:user_id/projects'),
  access: anyone(),
  input: z.object({ user_id: z.string().describe('Id or username'), ...projectFilters, ...keysetPaging }),
  output: page(Project),
});

export const listGroupProjects = operation({
  name: 'projects.projects.list-of-group',
  summary: 'Projects of a group',
  http: get('/groups/:id/projects'),
  access: onGroup({ anonymous: true }),
  input: z.object({
    id: z.string(),
    ...projectFilters,
    include_subgroups: z.boolean().default(false),
    with_shared: z.boolean().default(true),
  }),
  output: page(Project),
});

export const listProjectsSharedWithGroup = operation({
  name: 'projects.projects.list-shared-with-group',
  summary: 'Projects that a group was invited to',
  http: get('/groups/:id/projects/shared'),
  access: onGroup({ anonymous: true }),
  input: z.object({ id: z.string(), ...projectFilters }),
  output: page(Project),
});

export const listStarredProjects = operation({
  name: 'projects.projects.list-starred',
  summary: 'Projects that a user has starred',
  description: 'Only those that the caller may read.',
  http: get('/users/:user_id/starred_projects'),
  access: anyone(),
  input: z.object({ user_id: z.string().describe('Id or username'), ...projectFilters }),
  output: page(Project),
});

export const getProject = operation({
  name: 'projects.projects.get',
  summary: 'One project',
  description:
    'With or without a credential where the project is public; signed-in readers see more, and some fields depend on the role.',
  http: get('/projects/:id'),
  access: onProject({ anonymous: true }),
  input: z.object({
    ...projectRef,
    statistics: z.boolean().default(false),
    with_custom_attributes: z.boolean().default(false),
  }),
  output: Project,
});

export const updateProject = operation({
  name: 'projects.projects.update',
  summary: 'Change a project',
  refusals: ['common.invalid_record for a path that is taken or not allowed', 'project.archived'],
  http: put('/projects/:id'),
  access: onProject({ level: Access.Maintainer }),
  input: z
    .object({ ...projectRef, ...attributes, name: z.string().optional() })
    .refine(...someChangeOf('name', ...Object.keys(attributes))),
  output: Project,
});

export const deleteProject = operation({
  name: 'projects.projects.delete',
  summary: 'Delete a project',
  description: 'Invisible immediately; each service removes its records in the background.',
  http: del('/projects/:id', { success: 202 }),
  access: onProject({ level: Access.Owner, ability: 'remove_project' }),
  input: z.object(projectRef),
  output: Accepted,
});
