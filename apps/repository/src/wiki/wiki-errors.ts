/** What wikis refuse: status and body for the caller, and what it means. @see clarifications B.7 */
export const wikiErrors = {
  page_not_found: { status: 404, message: '404 Wiki Page Not Found', means: 'No page of that slug.' },
  page_duplicate: {
    status: 400,
    message: { base: ['Duplicate page: A page with that title already exists'] },
    means: 'A page of that slug exists, perhaps in another format.',
  },
  title_blank: {
    status: 400,
    message: { title: ["can't be blank"] },
    means: 'Nothing is left of the title, as of dots and slashes.',
  },
  title_invalid: {
    status: 400,
    message: { title: ['is invalid'] },
    means: 'Control characters, `..` or `.git` in the title.',
  },
  title_too_long: {
    status: 400,
    message: { title: ['exceeds the limit of 245 bytes'] },
    means: 'A part of the title is over 245 bytes.',
  },
  content_blank: { status: 400, message: { content: ["can't be blank"] }, means: 'A page without text.' },
  content_too_long: {
    status: 400,
    message: { content: ['is too long (maximum is 50 MB)'] },
    means: 'A page over 50 MiB.',
  },
} as const satisfies Record<string, { status: number; message: string | Record<string, string[]>; means: string }>;

export type WikiErrorCode = keyof typeof wikiErrors;

/** A refusal of a wiki: `code` names the row of the table, `body` is the `message` of the answer. */
export class WikiError extends Error {
  readonly status: number;
  readonly body: string | Record<string, readonly string[]>;

  constructor(readonly code: WikiErrorCode) {
    super(code);
    this.name = 'WikiError';
    this.status = wikiErrors[code].status;
    this.body = wikiErrors[code].message;
  }
}
