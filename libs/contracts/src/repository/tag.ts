import { z } from 'zod';
import { del, get, nothing, operation, page, post, projectRef } from '../operation';
import { pushesCode, readsCode } from './access';
import { Commit } from './commit-view';

/** See docs/api/repository.md#7. */
export const Tag = z.object({
  name: z.string(),
  message: z.string().nullable(),
  target: z.string(),
  commit: Commit,
  release: z.object({ tag_name: z.string(), description: z.string().nullable() }).nullable(),
  protected: z.boolean(),
});

const ref = { ...projectRef, tag_name: z.string() };

export const listTags = operation({
  name: 'repository.tags.list',
  onSecondary: 'code',
  summary: 'Tags, newest first',
  http: get('/projects/:id/repository/tags'),
  access: readsCode,
  input: z.object({
    ...projectRef,
    order_by: z.enum(['updated', 'name']).default('updated'),
    sort: z.enum(['asc', 'desc']).default('desc'),
    search: z.string().optional().describe('Contains; ^starts with; ends with$'),
  }),
  output: page(Tag),
  routedByStorage: true,
});

export const getTag = operation({
  name: 'repository.tags.get',
  onSecondary: 'code',
  refusals: ['git.tag_not_found'],
  summary: 'One tag',
  http: get('/projects/:id/repository/tags/:tag_name'),
  access: readsCode,
  input: z.object(ref),
  output: Tag,
  routedByStorage: true,
});

export const createTag = operation({
  name: 'repository.tags.create',
  description: 'With a message the tag is annotated.',
  refusals: ['git.tag_name_invalid', 'git.tag_exists', 'git.revision_unknown'],
  summary: 'Create a tag',
  http: post('/projects/:id/repository/tags'),
  access: pushesCode,
  input: z.object({
    ...projectRef,
    tag_name: z.string().min(1),
    ref: z.string().min(1),
    message: z.string().optional(),
  }),
  output: Tag,
  routedByStorage: true,
});

export const deleteTag = operation({
  name: 'repository.tags.delete',
  refusals: ['git.tag_not_found'],
  summary: 'Delete a tag',
  http: del('/projects/:id/repository/tags/:tag_name'),
  access: pushesCode,
  input: z.object(ref),
  output: nothing(),
  routedByStorage: true,
});
