import { z } from 'zod';
import { Access, get, onProject, operation, post, projectRef, signedIn, text } from '../operation';

const LintJob = z.object({
  name: z.string(),
  stage: z.string(),
  before_script: z.array(z.string()),
  script: z.array(z.string()),
  after_script: z.array(z.string()),
  tag_list: z.array(z.string()),
  environment: z.string().nullable(),
  when: z.string(),
  allow_failure: z.boolean(),
  needs: z.array(z.object({ name: z.string() })).nullable(),
});

/** The validation of a pipeline file. See docs/api/pipeline-files.md#2. */
export const Lint = z.object({
  valid: z.boolean(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  merged_yaml: z.string().nullable().describe('With all that it includes and extends put in'),
  includes: z.array(z.unknown()),
  jobs: z.array(LintJob).optional(),
});

const developing = onProject({ feature: 'builds', level: Access.Developer });
const include_jobs = z.boolean().default(false).describe('Include the list of jobs');
const dry_run = z.boolean().default(false).describe('Evaluate rules as for a pipeline of the ref, and make none');

export const lintText = operation({
  name: 'ci.lint.text',
  summary: 'Look at a pipeline file',
  description: 'Without a project: files of projects cannot be included.',
  http: post('/ci/lint', { success: 200 }),
  access: signedIn(),
  input: z.object({
    content: text.describe('The file'),
    include_merged_yaml: z.boolean().default(false).describe('Include the merged file'),
    include_jobs,
  }),
  output: Lint.extend({ status: z.enum(['valid', 'invalid']) }),
});

export const lintInProject = operation({
  name: 'ci.lint.in-project',
  summary: 'Look at a pipeline file as a project would',
  http: post('/projects/:id/ci/lint', { success: 200 }),
  access: developing,
  input: z.object({
    ...projectRef,
    content: text.describe('The file'),
    dry_run,
    include_jobs,
    ref: text.optional().describe('Branch or tag, the default branch unless given'),
  }),
  output: Lint,
});

export const lintOfProject = operation({
  name: 'ci.lint.of-project',
  summary: 'Look at the pipeline file of a project',
  http: get('/projects/:id/ci/lint'),
  access: developing,
  input: z.object({
    ...projectRef,
    content_ref: text.optional().describe('Commit, branch or tag of the file; default: the default branch'),
    sha: text.optional().describe('Older name of `content_ref`'),
    dry_run,
    dry_run_ref: text.optional().describe('Branch or tag whose rules are evaluated'),
    ref: text.optional().describe('Older name of `dry_run_ref`'),
    include_jobs,
  }),
  output: Lint,
});
