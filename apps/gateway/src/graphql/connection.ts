import { graphqlLimits, LimitExceeded } from './limits';

/** A part of a list, with field names of the API. */
export interface Connection<T> {
  count: number | null;
  nodes: T[];
  edges: { cursor: string; node: T }[];
  page_info: {
    has_next_page: boolean;
    has_previous_page: boolean;
    start_cursor: string | null;
    end_cursor: string | null;
  };
}

export interface PageArguments {
  first?: unknown;
  after?: unknown;
}

/** The requested items: `limit` items after the first `skip`. */
export interface Span {
  skip: number;
  limit: number;
}

/** A client that needs more should filter. */
const furthest = 1_000_000;

/** A cursor is the position of an item in its list, counted from 1. */
const cursorOf = (place: number): string => Buffer.from(String(place)).toString('base64');

/** @throws LimitExceeded for invalid cursors and negative numbers */
export function spanOf({ first, after }: PageArguments): Span {
  const asked = typeof first === 'number' ? first : graphqlLimits.page;
  if (asked < 0) throw new LimitExceeded('`first` must be 0 or more');
  return { skip: placeOf(after), limit: Math.min(asked, graphqlLimits.page) };
}

function placeOf(after: unknown): number {
  if (typeof after !== 'string' || after === '') return 0;
  const text = Buffer.from(after.slice(0, 20), 'base64').toString('latin1');
  if (!/^\d{1,7}$/.test(text) || Number(text) > furthest) throw new LimitExceeded('Invalid cursor');
  return Number(text);
}

/** Pages of the API that contain a span: one if it is aligned with a page, else two. */
export function pagesOf({ skip, limit }: Span): { page: number; per_page: number }[] {
  if (limit === 0) return [];
  const page = Math.floor(skip / limit) + 1;
  return skip % limit === 0
    ? [{ page, per_page: limit }]
    : [page, page + 1].map((each) => ({ page: each, per_page: limit }));
}

/**
 * @param items the content of the pages of a span
 * @param total of the whole list, if it was counted
 */
export function connectionIn<T>(items: T[], total: number | undefined, { skip, limit }: Span): Connection<T> {
  const offset = limit === 0 ? 0 : skip % limit;
  const nodes = items.slice(offset, offset + limit);
  const edges = nodes.map((node, index) => ({ cursor: cursorOf(skip + index + 1), node }));
  // A list that is too long to count continues after a full page.
  const goesOn = total === undefined ? nodes.length === limit : skip + nodes.length < total;
  return {
    count: total ?? null,
    nodes,
    edges,
    page_info: {
      has_next_page: goesOn,
      has_previous_page: skip > 0,
      start_cursor: edges[0]?.cursor ?? null,
      end_cursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** For a list that is completely loaded. @throws as {@link spanOf} */
export function connectionOf<T>(all: readonly T[], args: PageArguments): Connection<T> {
  const span = spanOf(args);
  const at = span.limit === 0 ? 0 : span.skip - (span.skip % span.limit);
  return connectionIn(all.slice(at, at + 2 * span.limit), all.length, span);
}
