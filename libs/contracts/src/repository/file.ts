import { z } from 'zod';
import { bytes, del, get, nothing, operation, post, projectRef, put } from '../operation';
import { pushesCode, readsCode } from './access';
import { Commit } from './commit-view';

const path = { ...projectRef, file_path: z.string().describe('URL-encoded path of the file') };

const File = z.object({
  file_name: z.string(),
  file_path: z.string(),
  size: z.int(),
  encoding: z.literal('base64'),
  content: z.string(),
  content_sha256: z.string(),
  ref: z.string(),
  blob_id: z.string(),
  commit_id: z.string(),
  last_commit_id: z.string(),
  execute_filemode: z.boolean(),
});

export const getFile = operation({
  name: 'repository.files.get',
  onSecondary: 'code',
  description:
    'The answer carries its fields, without the content, as X-Gitlab headers too, which is what HEAD is for.',
  summary: 'A file, as Base64',
  http: get('/projects/:id/repository/files/:file_path'),
  access: readsCode,
  scopes: ['read_repository'],
  input: z.object({ ...path, ref: z.string().min(1) }),
  output: File,
  routedByStorage: true,
});

export const getRawFile = operation({
  name: 'repository.files.raw',
  onSecondary: 'code',
  summary: 'The bytes of a file',
  http: get('/projects/:id/repository/files/:file_path/raw'),
  access: readsCode,
  scopes: ['read_repository'],
  input: z.object({ ...path, ref: z.string().optional() }),
  output: bytes('text/plain'),
  routedByStorage: true,
});

const blamedCommit = Commit.omit({ short_id: true, created_at: true, title: true, web_url: true });

/** See docs/api/repository.md#9. */
export const getBlame = operation({
  name: 'repository.files.blame',
  onSecondary: 'code',
  description: 'Lines in a row that one commit wrote last.',
  summary: 'Blame of a file',
  http: get('/projects/:id/repository/files/:file_path/blame'),
  access: readsCode,
  scopes: ['read_repository'],
  input: z.object({
    ...path,
    ref: z.string().min(1),
    range: z
      .object({ start: z.int().positive(), end: z.int().positive() })
      .optional()
      .describe('Only these lines, from 1, both ends included'),
  }),
  output: z.array(z.object({ commit: blamedCommit, lines: z.array(z.string()) })),
  routedByStorage: true,
});

const change = {
  ...path,
  branch: z.string().min(1),
  commit_message: z.string().min(1),
  start_branch: z.string().optional(),
  author_email: z.string().optional(),
  author_name: z.string().optional(),
};
const content = {
  content: z.string(),
  encoding: z.enum(['text', 'base64']).default('text'),
  execute_filemode: z.boolean().optional(),
};
const changed = z.object({ file_path: z.string(), branch: z.string() });

export const createFile = operation({
  name: 'repository.files.create',
  summary: 'Commit a new file',
  http: post('/projects/:id/repository/files/:file_path'),
  access: pushesCode,
  input: z.object({ ...change, ...content }),
  output: changed,
  routedByStorage: true,
});

export const updateFile = operation({
  name: 'repository.files.update',
  summary: 'Commit a changed file',
  http: put('/projects/:id/repository/files/:file_path'),
  access: pushesCode,
  input: z.object({ ...change, ...content, last_commit_id: z.string().optional() }),
  output: changed,
  routedByStorage: true,
});

export const deleteFile = operation({
  name: 'repository.files.delete',
  summary: 'Commit the removal of a file',
  http: del('/projects/:id/repository/files/:file_path'),
  access: pushesCode,
  input: z.object({ ...change, last_commit_id: z.string().optional() }),
  output: nothing(),
  routedByStorage: true,
});
