import { z } from 'zod';
import {
  Access,
  bytes,
  del,
  errors,
  type FileLimit,
  get,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
  uploadedFile,
} from '../operation';
import { Diff } from './commit-view';

/** Errors of wikis. See docs/api/wikis.md#2. */
export const wikiErrors = errors('wiki', {
  pageNotFound: { status: 404, message: '404 Wiki Page Not Found', means: 'No page of that slug.' },
  pageDuplicate: {
    status: 400,
    message: { base: ['Duplicate page: A page with that title already exists'] },
    means: 'A page with that slug exists, possibly in another format.',
  },
  titleBlank: {
    status: 400,
    message: { title: ["can't be blank"] },
    means: 'Nothing is left of the title, as of dots and slashes.',
  },
  titleInvalid: {
    status: 400,
    message: { title: ['is invalid'] },
    means: 'Control characters, `..` or `.git` in the title.',
  },
  titleTooLong: {
    status: 400,
    message: { title: ['exceeds the limit of 245 bytes'] },
    means: 'A part of the title is over 245 bytes.',
  },
  contentBlank: { status: 400, message: { content: ["can't be blank"] }, means: 'A page without text.' },
  contentTooLong: {
    status: 400,
    message: { content: ['is too long (maximum is 5 MB)'] },
    means: 'A page over 5 MiB.',
  },
  attachmentTooLarge: {
    status: 413,
    message: '413 Request Entity Too Large',
    means: 'An attachment over 100 MiB, which git would carry for ever.',
  },
});

/** An attachment is in git's history for ever. */
export const wikiAttachmentLimit: FileLimit<number> = {
  bytes: 100 * 1024 ** 2,
  tooLarge: () => wikiErrors.attachmentTooLarge(),
};

const format = z.enum(['markdown', 'rdoc', 'asciidoc', 'org']);

/** See docs/api/wikis.md#1. */
export const WikiPage = z.object({
  content: z.string().optional(),
  format,
  slug: z.string(),
  title: z.string(),
  encoding: z.string(),
});

const reads = onProject({ feature: 'wiki', anonymous: true });
const writes = onProject({ feature: 'wiki', level: Access.Developer });
const onePage = { ...projectRef, slug: z.string().describe('URL-encoded slug, as dir%2FMy-page') };

export const listWikiPages = operation({
  name: 'repository.wikis.list',
  onSecondary: 'wiki',
  description: 'By slug; content only on request, for pages of at most 7 MB in total.',
  summary: 'Pages of a wiki',
  http: get('/projects/:id/wikis'),
  access: reads,
  input: z.object({ ...projectRef, with_content: z.boolean().default(false) }),
  output: z.array(WikiPage),
  routedByStorage: true,
});

/** A part of the same list, without contents. */
export const listSomeWikiPages = operation({
  name: 'repository.wikis.list-some',
  onPages: true,
  isRead: true,
  access: reads,
  input: z.object({ ...projectRef, with_slug: z.string().optional().describe('The part that contains this page') }),
  output: page(WikiPage.pick({ slug: true, title: true })),
  routedByStorage: true,
});

export const getWikiPage = operation({
  name: 'repository.wikis.get',
  onSecondary: 'wiki',
  refusals: ['wiki.page_not_found'],
  summary: 'One page of a wiki',
  http: get('/projects/:id/wikis/:slug'),
  access: reads,
  input: z.object(onePage),
  output: WikiPage,
  routedByStorage: true,
});

/** What one change of a wiki did. */
export const getWikiDiff = operation({
  name: 'repository.wikis.get-diff',
  onPages: true,
  isRead: true,
  refusals: ['repository_content.commit_not_found'],
  access: reads,
  input: z.object({ ...projectRef, version_id: z.string().describe('Commit of the wiki') }),
  output: page(Diff),
  routedByStorage: true,
});

/** A file that pages link to. */
export const getWikiAttachment = operation({
  name: 'repository.wikis.get-attachment',
  onPages: true,
  isRead: true,
  refusals: ['repository_content.file_not_found'],
  access: reads,
  input: z.object({ ...projectRef, file_path: z.string().max(8192).describe('As in the answer to the upload') }),
  output: bytes(),
  routedByStorage: true,
});

/** Errors of writing a page. */
const writtenRefusals = [
  'wiki.page_duplicate',
  'wiki.title_blank',
  'wiki.title_invalid',
  'wiki.title_too_long',
  'wiki.content_blank',
  'wiki.content_too_long',
];

export const createWikiPage = operation({
  name: 'repository.wikis.create',
  refusals: writtenRefusals,
  summary: 'Write a new page',
  http: post('/projects/:id/wikis'),
  access: writes,
  input: z.object({ ...projectRef, title: z.string(), content: z.string(), format: format.default('markdown') }),
  output: WikiPage,
  routedByStorage: true,
});

export const updateWikiPage = operation({
  name: 'repository.wikis.update',
  description: 'A new title moves the page.',
  refusals: ['wiki.page_not_found', ...writtenRefusals],
  summary: 'Change or move a page',
  http: put('/projects/:id/wikis/:slug'),
  access: writes,
  input: z
    .object({
      ...onePage,
      content: z.string().optional(),
      title: z.string().optional(),
      format: format.optional(),
    })
    .refine(...someChangeOf('content', 'title', 'format')),
  output: WikiPage,
  routedByStorage: true,
});

export const deleteWikiPage = operation({
  name: 'repository.wikis.delete',
  refusals: ['wiki.page_not_found'],
  summary: 'Delete a page',
  http: del('/projects/:id/wikis/:slug'),
  access: onProject({ feature: 'wiki', level: Access.Maintainer }),
  input: z.object(onePage),
  output: nothing(),
  routedByStorage: true,
});

export const attachToWiki = operation({
  name: 'repository.wikis.attach',
  description: "Stored in the wiki's repository, below `uploads/`.",
  refusals: ['wiki.attachment_too_large', 'git.refname_invalid'],
  summary: 'Upload a file for pages to link to',
  http: post('/projects/:id/wikis/attachments'),
  access: writes,
  input: z.object({ ...projectRef, file: uploadedFile(wikiAttachmentLimit), branch: z.string().optional() }),
  output: z.object({
    file_name: z.string(),
    file_path: z.string(),
    branch: z.string(),
    link: z.object({ url: z.string(), markdown: z.string() }),
  }),
  routedByStorage: true,
  timeoutSeconds: 120,
});
