import { Access, tokenScopes } from '@moothall/contracts';
import { z } from 'zod';

const text = z.string().min(1).max(255);
const words = z.string().max(1_000_000);
const visibility = z.enum(['private', 'internal', 'public']);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a day such as 2030-12-31');
const fullPath = z.string().regex(/^[^/\s]+(\/[^/\s]+)+$/, 'must be a full path such as tools/site');

/** `access_level` of members, by name. */
export const levels = {
  guest: Access.Guest,
  reporter: Access.Reporter,
  developer: Access.Developer,
  maintainer: Access.Maintainer,
  owner: Access.Owner,
};
type Level = keyof typeof levels;

/** User names and their levels. */
const members = z.record(text, z.enum(Object.keys(levels) as [Level, ...Level[]])).default({});

const user = z.strictObject({
  username: text,
  name: text.optional(),
  email: text.optional(),
  password: z.string().min(8).optional(),
  admin: z.boolean().default(false),
  /** Personal access tokens, with values that tests can contain. */
  tokens: z
    .array(
      z.strictObject({
        token: z.string().min(20).max(255),
        name: text.default('seed'),
        scopes: z.array(z.enum(tokenScopes)).min(1).default(['api']),
        expires_at: day.optional(),
      }),
    )
    .default([]),
  ssh_keys: z.array(z.strictObject({ title: text.default('seed'), key: words })).default([]),
});

/** Variables of pipelines. */
const variable = z.strictObject({
  key: text,
  value: z.string().max(100_000),
  variable_type: z.enum(['env_var', 'file']).optional(),
  protected: z.boolean().optional(),
  masked: z.boolean().optional(),
  raw: z.boolean().optional(),
  environment_scope: text.optional(),
  description: text.optional(),
});
const variables = z.array(variable).default([]);

const iteration = z.strictObject({
  title: text,
  description: words.optional(),
  start_date: day,
  due_date: day,
  /** Its cadence; iterations without one share a cadence. */
  cadence: text.optional(),
});

const group = z.strictObject({
  /** Full path; its parent must come before it, or in another seed. */
  path: z.string().regex(/^[^/\s]+(\/[^/\s]+)*$/, 'must be a path such as tools or tools/web'),
  name: text.optional(),
  description: words.optional(),
  visibility: visibility.default('private'),
  members,
  variables,
  iterations: z.array(iteration).default([]),
});

/** A text, or binary content. */
const file = z.union([
  words,
  z.strictObject({
    content: words,
    encoding: z.enum(['text', 'base64']).default('text'),
    executable: z.boolean().default(false),
  }),
]);
const files = z.record(z.string().min(1).max(4096), file);

const note = z.strictObject({ body: words.min(1), author: text.optional() });

const issue = z.strictObject({
  title: text,
  description: words.optional(),
  author: text.optional(),
  assignees: z.array(text).default([]),
  labels: z.array(text).default([]),
  milestone: text.optional(),
  iteration: text.optional(),
  confidential: z.boolean().default(false),
  state: z.enum(['opened', 'closed']).default('opened'),
  notes: z.array(note).default([]),
});

const mergeRequest = z.strictObject({
  title: text,
  source_branch: text,
  target_branch: text.optional(),
  description: words.optional(),
  author: text.optional(),
  assignees: z.array(text).default([]),
  reviewers: z.array(text).default([]),
  labels: z.array(text).default([]),
  notes: z.array(note).default([]),
});

const project = z.strictObject({
  /** In a group, or of a user: `tools/site`, `alice/site`. */
  path: fullPath,
  name: text.optional(),
  description: words.optional(),
  visibility: visibility.default('private'),
  default_branch: text.default('main'),
  /** Further parameters of `POST /projects`, such as `merge_method`. */
  settings: z.record(text, z.unknown()).default({}),
  members,
  variables,
  /** On the default branch, in one commit. */
  files: files.default({}),
  branches: z.record(text, z.strictObject({ from: text.optional(), files: files.default({}) })).default({}),
  tags: z.record(text, text).default({}),
  labels: z
    .array(z.strictObject({ name: text, color: text.default('#428bca'), description: words.optional() }))
    .default([]),
  milestones: z
    .array(z.strictObject({ title: text, description: words.optional(), due_date: day.optional() }))
    .default([]),
  issues: z.array(issue).default([]),
  merge_requests: z.array(mergeRequest).default([]),
});

const runner = z.strictObject({
  description: text,
  /** Full path of the project that it is for; the whole instance if absent. */
  project: fullPath.optional(),
  tags: z.array(text).default([]),
  run_untagged: z.boolean().default(true),
});

/** The format of `--seed`. See docs/testing-with-moothall.md#seeds. */
export const seedSchema = z.strictObject({
  users: z.array(user).max(1_000).default([]),
  groups: z.array(group).max(1_000).default([]),
  projects: z.array(project).max(1_000).default([]),
  runners: z.array(runner).max(100).default([]),
});

export type Seed = z.infer<typeof seedSchema>;
export type SeedUser = z.infer<typeof user>;
export type SeedGroup = z.infer<typeof group>;
export type SeedNote = z.infer<typeof note>;
export type SeedProject = z.infer<typeof project>;
export type SeedVariable = z.infer<typeof variable>;
export type SeedRunner = z.infer<typeof runner>;
