import { z } from 'zod';
import { errors, get, nothing, operation, post, projectRef, timestamp } from '../operation';
import { pushesCode, readsCode } from './access';

export const changelogErrors = errors('changelog', {
  failed: {
    status: 422,
    message: 'Failed to generate the changelog',
    means: 'Of these commits, or with this configuration, none can be made; the text says why.',
  },
});

/** Semantic versions, with or without a `v`; a part after a minus makes it a pre-release. */
export const versionPattern =
  /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/;

const asked = {
  ...projectRef,
  version: z.string().regex(versionPattern, 'is invalid').describe('The version that the section is of, as 1.0.0'),
  from: z.string().optional().describe('Commits after this one; unless given, after the tag of the version before'),
  to: z.string().optional().describe('The last commit; unless given, the newest of the branch'),
  date: timestamp.optional().describe('Of the release; now, unless given'),
  trailer: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, 'is invalid')
    .default('Changelog')
    .describe('The trailer with the category of a commit'),
  config_file: z
    .string()
    .min(1)
    .max(4096)
    .default('.gitlab/changelog_config.yml')
    .describe('Path of the configuration'),
  config_file_ref: z.string().optional().describe('Ref of that file; default: the default branch'),
};

const refusals = ['changelog.failed', 'repository_content.commit_not_found'];

/** See docs/api/repository.md#13. */
export const getChangelog = operation({
  name: 'repository.changelog.get',
  summary: 'Preview a section of the changelog',
  refusals,
  http: get('/projects/:id/repository/changelog'),
  access: readsCode,
  input: z.object(asked),
  output: z.object({ notes: z.string() }),
  routedByStorage: true,
  timeoutSeconds: 60,
});

export const addChangelog = operation({
  name: 'repository.changelog.add',
  summary: 'Write a section into the changelog, as a commit',
  refusals: [...refusals, 'git.branch_not_found', 'git.file_changed', 'protection.push_refused'],
  http: post('/projects/:id/repository/changelog', { success: 200 }),
  access: pushesCode,
  input: z.object({
    ...asked,
    branch: z.string().min(1).optional().describe('The default branch unless given'),
    file: z.string().min(1).max(4096).default('CHANGELOG.md').describe('Path of the changelog'),
    message: z.string().min(1).optional().describe('Of the commit; `Add changelog for version X` unless given'),
  }),
  output: nothing(),
  routedByStorage: true,
  timeoutSeconds: 60,
});
