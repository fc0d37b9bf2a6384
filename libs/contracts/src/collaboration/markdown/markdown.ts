import { z } from 'zod';
import { anyone, errors, onProject, operation, post, projectRef } from '../../operation';
import { descriptionLimit, prose } from '../prose/prose';

export const markdownErrors = errors('markdown', {
  tooMuch: {
    status: 422,
    message: '422 Unprocessable Entity - the text takes too much to be rendered',
    means: 'It takes more time or memory than a text has, or becomes too long.',
  },
});

export const renderMarkdown = operation({
  name: 'collaboration.markdown.render',
  summary: 'Make HTML of Markdown',
  description:
    'CommonMark with tables, task lists, strikethrough and automatic links. Of HTML only plain elements remain, without attributes. With `gfm`, references that the caller may see become links: `#12`, `!3`, `group/project#12`, `@user`, `~label`, and commits. With `gfm` and `project`, the address of an upload (`/uploads/…`) leads to this project.',
  refusals: ['markdown.too_much', 'project.not_found unless the caller reads it'],
  http: post('/markdown'),
  access: anyone(),
  isRead: true,
  input: z.object({
    text: prose(descriptionLimit).describe('Markdown'),
    gfm: z.boolean().default(false).describe('Whether references become links'),
    project: z
      .string()
      .max(1024)
      .optional()
      .describe('With `gfm`: id or path of the project for references such as `#12`, `!3`, `~label` and commits'),
  }),
  output: z.object({ html: z.string() }),
});

/** Limit of texts in one request: the notes of a page, and a description. */
export const mostTexts = 101;

/** The same with `gfm` for several texts of a project, in their order. Headings are links to themselves: `#usage`. */
export const renderMarkdownTexts = operation({
  name: 'collaboration.markdown.render-texts',
  onPages: true,
  access: onProject({ anonymous: true }),
  isRead: true,
  input: z.object({
    ...projectRef,
    texts: z.array(prose(descriptionLimit)).max(mostTexts),
    relative: z
      .object({
        folder: z.string().max(8192).describe('Path of its folder in the repository'),
        links: z.string().max(8192).describe('Address of the root folder for links, without a slash at the end'),
        images: z.string().max(8192).describe('The same for images'),
        wiki: z
          .boolean()
          .default(false)
          .describe(
            'Of a wiki: `page` and `uploads/x` are in its root folder, `./page` and `page.md` in the given one',
          ),
      })
      .optional()
      .describe('Of a file: its relative links lead to other files'),
  }),
  output: z.array(z.string().nullable().describe('Null if the text takes too much')),
});
