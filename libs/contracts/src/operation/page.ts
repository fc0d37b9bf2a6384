import { z } from 'zod';

/** Rows above this number are not counted: X-Total would cost more than the page. See docs/api/answers.md#5. */
export const countLimit = 10_000;
export const maxPerPage = 100;

/** Parameters of every offset-paged list. See docs/api/answers.md#5. */
export const paging = {
  page: z.int().default(1).describe('Page number, from 1'),
  per_page: z.int().min(1).default(20).describe('Items on a page; more than 100 counts as 100'),
};

/** Parameters of lists that also have keyset pages. See docs/api/answers.md#6. */
export const keysetPaging = {
  ...paging,
  pagination: z.enum(['offset', 'keyset']).default('offset'),
  id_after: z.int().optional(),
  id_before: z.int().optional(),
  page_token: z.string().optional(),
};

export interface Page<T> {
  items: T[];
  /** Number of all rows; absent above {@link countLimit} and in keyset pages. */
  total?: number | undefined;
  /** Parameters that lead to the next keyset page; absent on the last one and in offset pages. */
  next?: Record<string, string | number> | undefined;
  /** Set for keyset pages, which carry a Link and no totals. */
  isKeyset?: boolean;
}

export class PageOutput<T extends z.ZodType> {
  constructor(readonly item: T) {}
}

/** Output of a paged list. */
export const page = <T extends z.ZodType>(item: T): PageOutput<T> => new PageOutput(item);

export class BytesOutput {
  // Distinguishes the classes for the compiler, which compares shapes.
  readonly kind = 'bytes';

  constructor(readonly contentType: string) {}
}

/** Output that is streamed from the service's data port instead of NATS. */
export const bytes = (contentType = 'application/octet-stream'): BytesOutput => new BytesOutput(contentType);

export class NoOutput {
  readonly kind = 'nothing';
}

/** Success without a body. */
export const nothing = (): NoOutput => new NoOutput();

export class RawOutput {
  readonly kind = 'raw';

  /** The type of a success; the handler's Reply repeats it, since refusals and redirects may differ. */
  constructor(readonly contentType: string) {}
}

/** Text that is sent unchanged, with the content type of the handler's Reply: pages, redirects, plain text. */
export const raw = (contentType = 'text/html'): RawOutput => new RawOutput(contentType);

/** Rows to skip and to return for a requested page; page 0 and below count as 1. */
export function window(input: { page: number; per_page: number }): { skip: number; limit: number } {
  const limit = Math.min(input.per_page, maxPerPage);
  return { skip: (Math.max(input.page, 1) - 1) * limit, limit };
}

/** A page of a list in memory. */
export function pageOf<T>(all: readonly T[], input: { page: number; per_page: number }): Page<T> {
  const { skip, limit } = window(input);
  return { items: all.slice(skip, skip + limit), total: all.length };
}
