import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import {
  Access,
  administrator,
  anyone,
  bytes,
  del,
  errors,
  event,
  get,
  id,
  mutuallyExclusive,
  nothing,
  onProject,
  operation,
  page,
  paging,
  post,
  projectRef,
  put,
  signedIn,
  someChangeOf,
  time,
} from '../../operation';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { UserAgentDetail } from '../user-agent/user-agent';

/** Bytes of all files of a snippet together. */
export const snippetLimitBytes = 4 << 20;
/** Files of one snippet. */
export const snippetFileLimit = 10;

/** A path that stays below its folder when it is unpacked. */
export const isSnippetPath = (path: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  !/[\x00-\x1f\x7f\\]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

export const snippetErrors = errors('snippet', {
  notFound: { status: 404, message: '404 Snippet Not Found', means: 'No such snippet, or none the caller may see.' },
  fileNotFound: { status: 404, message: '404 File Not Found', means: 'The snippet has no such file.' },
  filesRefused: {
    status: 400,
    message: { error: 'Invalid files' },
    means: 'The files cannot be changed like that, or are too many or too large; the text says how.',
  },
});

/** A snippet was deleted; its notes and award emoji follow. */
export const snippetDeleted = event({
  name: 'collaboration.snippet.deleted',
  data: z.object({ snippet_id: id }),
});

const visibilities = ['private', 'internal', 'public'] as const;
const visibility = z
  .enum(visibilities)
  .describe('private: the author, or members of the project; internal: all signed-in users; public: all');

/** See docs/api/snippets.md#1. */
export const Snippet = z.object({
  id,
  title: z.string(),
  file_name: z.string().nullable().describe('Of the first file'),
  description: z.string().nullable(),
  visibility,
  author: UserSummary,
  expires_at: z.null(),
  updated_at: time,
  created_at: time,
  project_id: id.nullable().describe('Null for personal snippets'),
  web_url: z.string(),
  raw_url: z.string(),
  files: z.array(z.object({ path: z.string(), raw_url: z.string() })),
});
export type Snippet = z.infer<typeof Snippet>;

const path = writtenProse(titleLimit);
const content = writtenProse(snippetLimitBytes);
const attributes = { title: writtenProse(titleLimit), description: prose(descriptionLimit).nullable().optional() };

const creation = {
  ...attributes,
  file_name: path.optional(),
  content: content.optional(),
  files: z
    .array(z.object({ file_path: path, content }))
    .min(1)
    .optional()
    .describe('Instead of content'),
};
const oneSource = mutuallyExclusive('files', 'content');
const anySource = [
  (input: { files?: unknown; content?: unknown }) => input.files !== undefined || input.content !== undefined,
  { message: 'files, content are missing, exactly one parameter must be provided' },
] as const;
const namedContent = [
  (input: { content?: unknown; file_name?: unknown }) => input.content === undefined || input.file_name !== undefined,
  { message: 'file_name is missing' },
] as const;

const change = {
  title: attributes.title.optional(),
  description: attributes.description,
  visibility: visibility.optional(),
  file_name: path.optional(),
  content: content.optional(),
  files: z
    .array(
      z.object({
        action: z.enum(['create', 'update', 'delete', 'move']),
        file_path: path.optional(),
        previous_path: path.optional(),
        content: content.optional(),
      }),
    )
    .min(1)
    .optional()
    .describe('Changes of single files'),
};
const anyChange = someChangeOf('content', 'description', 'files', 'file_name', 'title', 'visibility');
const onlyFiles = mutuallyExclusive('files', 'file_name');

export const listSnippets = operation({
  name: 'collaboration.snippets.list',
  http: get('/snippets'),
  access: signedIn(),
  summary: 'Snippets of the caller, personal ones and those in projects',
  input: z.object(paging),
  output: page(Snippet),
});

export const listPublicSnippets = operation({
  name: 'collaboration.snippets.list-public',
  http: get('/snippets/public'),
  access: signedIn(),
  summary: 'Public personal snippets of all users',
  input: z.object(paging),
  output: page(Snippet),
});

export const getSnippet = operation({
  name: 'collaboration.snippets.get',
  description: 'Also of a project, where the caller reads that.',
  refusals: ['snippet.not_found'],
  http: get('/snippets/:id'),
  access: anyone(),
  summary: 'One snippet',
  input: z.object({ id }),
  output: Snippet,
});

export const getRawSnippet = operation({
  name: 'collaboration.snippets.raw',
  refusals: ['snippet.not_found'],
  http: get('/snippets/:id/raw'),
  access: anyone(),
  summary: 'Content of the first file',
  input: z.object({ id }),
  output: bytes('text/plain'),
});

const file = { ref: z.string().describe('main'), file_path: z.string() };

export const getRawSnippetFile = operation({
  name: 'collaboration.snippets.raw-file',
  refusals: ['snippet.not_found', 'snippet.file_not_found'],
  http: get('/snippets/:id/files/:ref/:file_path/raw'),
  access: anyone(),
  summary: 'Content of a file',
  input: z.object({ id, ...file }),
  output: bytes('text/plain'),
});

/** The beginnings of all files of a snippet, in equal shares. */
export const readSnippetFiles = operation({
  name: 'collaboration.snippets.read-files',
  onPages: true,
  isRead: true,
  refusals: ['snippet.not_found'],
  access: anyone(),
  input: z.object({
    id,
    characters: z
      .int()
      .min(snippetFileLimit)
      .max(1024 ** 2)
      .describe('Of all files together'),
  }),
  output: z.array(z.object({ path: z.string(), text: z.string(), is_whole: z.boolean() })),
});

export const createSnippet = operation({
  name: 'collaboration.snippets.create',
  refusals: ['snippet.files_refused', 'common.forbidden for external users'],
  http: post('/snippets'),
  access: signedIn(),
  summary: 'Make a personal snippet',
  input: z
    .object({ ...creation, visibility: visibility.default('internal') })
    .refine(...oneSource)
    .refine(...anySource)
    .refine(...namedContent),
  output: Snippet,
});

export const updateSnippet = operation({
  name: 'collaboration.snippets.update',
  refusals: ['snippet.not_found', 'snippet.files_refused', 'common.forbidden unless author'],
  http: put('/snippets/:id'),
  access: signedIn(),
  summary: 'Change a snippet',
  input: z
    .object({ id, ...change })
    .refine(...anyChange)
    .refine(...oneSource)
    .refine(...onlyFiles),
  output: Snippet,
});

export const deleteSnippet = operation({
  name: 'collaboration.snippets.delete',
  refusals: ['snippet.not_found', 'common.forbidden unless author'],
  http: del('/snippets/:id'),
  access: signedIn(),
  summary: 'Remove a snippet with its notes',
  input: z.object({ id }),
  output: nothing(),
});

export const getSnippetUserAgent = operation({
  name: 'collaboration.snippets.user-agent',
  refusals: ['snippet.not_found', 'user_agent.not_found'],
  http: get('/snippets/:id/user_agent_detail'),
  access: administrator(),
  summary: 'User agent and address of the request that created the snippet',
  input: z.object({ id }),
  output: UserAgentDetail,
});

const reads = onProject({ feature: 'snippets', anonymous: true });
const writes = onProject({ feature: 'snippets' });
const inProject = { ...projectRef, snippet_id: id };

export const listProjectSnippets = operation({
  name: 'collaboration.project-snippets.list',
  http: get('/projects/:id/snippets'),
  access: reads,
  summary: 'Snippets of a project',
  input: z.object(projectRef),
  output: page(Snippet),
});

export const getProjectSnippet = operation({
  name: 'collaboration.project-snippets.get',
  refusals: ['snippet.not_found'],
  http: get('/projects/:id/snippets/:snippet_id'),
  access: reads,
  summary: 'One snippet of a project',
  input: z.object(inProject),
  output: Snippet,
});

export const getRawProjectSnippet = operation({
  name: 'collaboration.project-snippets.raw',
  refusals: ['snippet.not_found'],
  http: get('/projects/:id/snippets/:snippet_id/raw'),
  access: reads,
  summary: 'Content of the first file',
  input: z.object(inProject),
  output: bytes('text/plain'),
});

export const getRawProjectSnippetFile = operation({
  name: 'collaboration.project-snippets.raw-file',
  refusals: ['snippet.not_found', 'snippet.file_not_found'],
  http: get('/projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw'),
  access: reads,
  summary: 'Content of a file',
  input: z.object({ ...inProject, ...file }),
  output: bytes('text/plain'),
});

export const createProjectSnippet = operation({
  name: 'collaboration.project-snippets.create',
  refusals: ['snippet.files_refused', 'project.archived'],
  http: post('/projects/:id/snippets'),
  access: onProject({ feature: 'snippets', level: Access.Reporter }),
  summary: 'Make a snippet in a project',
  input: z
    .object({ ...projectRef, ...creation, visibility })
    .refine(...oneSource)
    .refine(...anySource)
    .refine(...namedContent),
  output: Snippet,
});

export const updateProjectSnippet = operation({
  name: 'collaboration.project-snippets.update',
  refusals: [
    'snippet.not_found',
    'snippet.files_refused',
    'common.forbidden unless author or maintainer',
    'project.archived',
  ],
  http: put('/projects/:id/snippets/:snippet_id'),
  access: writes,
  summary: 'Change a snippet of a project',
  input: z
    .object({ ...inProject, ...change })
    .refine(...anyChange)
    .refine(...oneSource)
    .refine(...onlyFiles),
  output: Snippet,
});

export const deleteProjectSnippet = operation({
  name: 'collaboration.project-snippets.delete',
  refusals: ['snippet.not_found', 'common.forbidden unless author or maintainer', 'project.archived'],
  http: del('/projects/:id/snippets/:snippet_id'),
  access: writes,
  summary: 'Remove a snippet of a project with its notes',
  input: z.object(inProject),
  output: nothing(),
});

export const getProjectSnippetUserAgent = operation({
  name: 'collaboration.project-snippets.user-agent',
  refusals: ['snippet.not_found', 'user_agent.not_found', 'common.forbidden unless administrator'],
  http: get('/projects/:id/snippets/:snippet_id/user_agent_detail'),
  access: writes,
  summary: 'User agent and address of the request that created the snippet',
  input: z.object(inProject),
  output: UserAgentDetail,
});
