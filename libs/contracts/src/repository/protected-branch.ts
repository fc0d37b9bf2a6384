import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  id,
  internal,
  internalOnProject,
  nothing,
  onProject,
  operation,
  page,
  patch,
  post,
  projectRef,
  put,
} from '../operation';
import { Branch } from './branch';

export const protectionErrors = errors('protection', {
  pushRefused: {
    status: 403,
    message: 'You are not allowed to push into this branch',
    means: 'The branch is protected from the caller.',
  },
  branchKept: {
    status: 403,
    message: 'Protected branch cannot be removed',
    means: 'Delete of a protected branch.',
  },
  tagRefused: {
    status: 403,
    message: 'You are not allowed to create this tag as it is protected.',
    means: 'The tag is protected from the caller.',
  },
  tagKept: { status: 403, message: 'Protected tag cannot be removed', means: 'Delete of a protected tag.' },
  branchTaken: {
    status: 409,
    message: "Protected branch '%s' already exists",
    means: 'That name or pattern is protected already.',
  },
  tagTaken: {
    status: 409,
    message: "Protected tag '%s' already exists",
    means: 'That name or pattern is protected already.',
  },
});

/** 0 is nobody, 60 administrators. */
export const protectionLevels = [0, 30, 40, 60] as const;
const level = z.literal([...protectionLevels]);
const grant = z.object({ access_level: level });

const AccessLevel = z.object({
  access_level: z.int(),
  access_level_description: z.string(),
  user_id: z.null(),
  group_id: z.null(),
});

/** See docs/api/repository.md#10. */
export const ProtectedBranch = z.object({
  id: z.int(),
  name: z.string(),
  push_access_levels: z.array(AccessLevel),
  merge_access_levels: z.array(AccessLevel),
  unprotect_access_levels: z.array(AccessLevel),
  allow_force_push: z.boolean(),
  code_owner_approval_required: z.boolean(),
});

const ability = 'admin_protected_branch';
const maintains = onProject({ feature: 'repository', level: Access.Maintainer, ability });
const reads = onProject({ feature: 'repository', level: Access.Developer, ability });
const maintainsTags = onProject({ feature: 'repository', level: Access.Maintainer, ability: 'manage_protected_tags' });
const named = { ...projectRef, name: z.string().describe('Branch, or a pattern; `*` matches any text') };

export const listProtectedBranches = operation({
  name: 'repository.protected-branches.list',
  summary: 'Protected branches and patterns',
  http: get('/projects/:id/protected_branches'),
  access: reads,
  input: z.object({ ...projectRef, search: z.string().optional() }),
  output: page(ProtectedBranch),
});

export const getProtectedBranch = operation({
  name: 'repository.protected-branches.get',
  summary: 'One protected branch or pattern',
  http: get('/projects/:id/protected_branches/:name'),
  access: reads,
  input: z.object(named),
  output: ProtectedBranch,
});

const grants = {
  allowed_to_push: z.array(grant).optional(),
  allowed_to_merge: z.array(grant).optional(),
  allowed_to_unprotect: z.array(grant).optional(),
};

export const protectBranches = operation({
  name: 'repository.protected-branches.create',
  refusals: ['protection.branch_taken'],
  summary: 'Protect a branch, or all that match a pattern',
  http: post('/projects/:id/protected_branches'),
  access: maintains,
  input: z.object({
    ...projectRef,
    name: z.string().min(1).max(255),
    push_access_level: level.default(Access.Maintainer),
    merge_access_level: level.default(Access.Maintainer),
    unprotect_access_level: level.default(Access.Maintainer),
    ...grants,
    allow_force_push: z.boolean().default(false),
    code_owner_approval_required: z.boolean().default(false),
  }),
  output: ProtectedBranch,
});

export const updateProtectedBranch = operation({
  name: 'repository.protected-branches.update',
  summary: 'Change the protection of a branch',
  http: patch('/projects/:id/protected_branches/:name'),
  access: maintains,
  input: z.object({
    ...named,
    ...grants,
    allow_force_push: z.boolean().optional(),
    code_owner_approval_required: z.boolean().optional(),
  }),
  output: ProtectedBranch,
});

export const unprotectBranches = operation({
  name: 'repository.protected-branches.delete',
  summary: 'Take a protection back',
  http: del('/projects/:id/protected_branches/:name'),
  access: maintains,
  input: z.object(named),
  output: nothing(),
});

export const protectBranch = operation({
  name: 'repository.branches.protect',
  description: 'The older form, which names one branch.',
  refusals: ['git.branch_not_found'],
  summary: 'Protect a branch',
  http: put('/projects/:id/repository/branches/:branch/protect'),
  access: maintains,
  input: z.object({
    ...projectRef,
    branch: z.string(),
    developers_can_push: z.boolean().optional(),
    developers_can_merge: z.boolean().optional(),
  }),
  output: Branch,
  routedByStorage: true,
});

export const unprotectBranch = operation({
  name: 'repository.branches.unprotect',
  refusals: ['git.branch_not_found'],
  summary: "Take a branch's protection back",
  http: put('/projects/:id/repository/branches/:branch/unprotect'),
  access: maintains,
  input: z.object({ ...projectRef, branch: z.string() }),
  output: Branch,
  routedByStorage: true,
});

export const ProtectedTag = z.object({ name: z.string(), create_access_levels: z.array(AccessLevel) });

export const listProtectedTags = operation({
  name: 'repository.protected-tags.list',
  summary: 'Protected tags and patterns',
  http: get('/projects/:id/protected_tags'),
  access: maintainsTags,
  input: z.object(projectRef),
  output: page(ProtectedTag),
});

export const getProtectedTag = operation({
  name: 'repository.protected-tags.get',
  summary: 'One protected tag or pattern',
  http: get('/projects/:id/protected_tags/:name'),
  access: maintainsTags,
  input: z.object(named),
  output: ProtectedTag,
});

export const protectTags = operation({
  name: 'repository.protected-tags.create',
  refusals: ['protection.tag_taken'],
  summary: 'Protect a tag, or all that match a pattern',
  http: post('/projects/:id/protected_tags'),
  access: maintainsTags,
  input: z.object({
    ...projectRef,
    name: z.string().min(1).max(255),
    create_access_level: level.default(Access.Maintainer),
    allowed_to_create: z.array(grant).optional(),
  }),
  output: ProtectedTag,
});

export const unprotectTags = operation({
  name: 'repository.protected-tags.delete',
  summary: 'Take the protection of tags back',
  http: del('/projects/:id/protected_tags/:name'),
  access: maintainsTags,
  input: z.object(named),
  output: nothing(),
});

/**
 * Which of the branches are protected, and whether the caller of the context may push and merge into them; for services that
 * decide on pipelines, variables and merges. At most 1,000.
 */
export const branchProtection = operation({
  name: 'repository.protected-branches.check',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ branches: z.array(z.string()).max(1000) }),
  output: z.array(
    z.object({ name: z.string(), protected: z.boolean(), can_push: z.boolean(), can_merge: z.boolean() }),
  ),
});

/** All protections of a project, of branches and tags, for the site that copies its repository. */
export const listProtections = operation({
  name: 'repository.protections.list',
  access: internal(),
  isRead: true,
  input: z.object({ project_id: id }),
  output: z.array(
    z.object({
      /** Absent in an answer of an earlier version. */
      id: id.optional(),
      kind: z.enum(['branch', 'tag']),
      name: z.string(),
      pushLevels: z.array(z.int()),
      mergeLevels: z.array(z.int()),
      allowsForcePush: z.boolean(),
    }),
  ),
});
