import { maxPerPage } from '@moothall/contracts';
import type { ReplyMeta } from '@moothall/messaging';

interface GraphqlRequest {
  /** Path and query of the request as received. */
  url: string;
  externalUrl: string;
  page: number;
  perPage: number;
}

type PageMeta = NonNullable<ReplyMeta['page']>;

/** Clients accept 8 or 16 KB of headers in all, and a request with many ids is longer. */
const longestLink = 6 * 1024;

/** Headers of a page. See docs/api/answers.md#5. */
export function pagingHeaders(
  page: PageMeta,
  asked: GraphqlRequest,
  itemsOnPage: () => number,
): Record<string, string> {
  return page.isKeyset ? keysetHeaders(page, asked) : offsetHeaders(page, asked, itemsOnPage);
}

function keysetHeaders({ next }: PageMeta, asked: GraphqlRequest): Record<string, string> {
  if (!next) return {};
  const link = `<${linkTo(asked, next)}>; rel="next"`;
  // Keyset pages have only this link; `links` repeats it for older clients.
  return link.length > longestLink ? { link } : { link, links: link };
}

function offsetHeaders({ total }: PageMeta, asked: GraphqlRequest, itemsOnPage: () => number): Record<string, string> {
  const current = Math.max(asked.page, 1);
  const perPage = Math.min(asked.perPage, maxPerPage);
  const totalPages = total === undefined ? undefined : Math.max(Math.ceil(total / perPage), 1);
  // Without a total, a full page may be followed by another.
  const hasNext = totalPages === undefined ? itemsOnPage() === perPage : current < totalPages;
  const headers: Record<string, string> = {
    'x-page': String(current),
    'x-per-page': String(perPage),
    'x-next-page': hasNext ? String(current + 1) : '',
    'x-prev-page': current > 1 ? String(current - 1) : '',
    ...offsetLinks(asked, perPage, current, hasNext, totalPages),
  };
  if (total !== undefined) Object.assign(headers, { 'x-total': String(total), 'x-total-pages': String(totalPages) });
  return headers;
}

/**
 * Links to all neighbours; only the next one if all would be too long, and none if that is: page numbers are in other
 * headers.
 */
function offsetLinks(
  asked: GraphqlRequest,
  perPage: number,
  current: number,
  hasNext: boolean,
  totalPages: number | undefined,
): { link?: string } {
  const to = (page: number, rel: string) => `<${linkTo(asked, { page, per_page: perPage })}>; rel="${rel}"`;
  const links: string[] = [];
  if (current > 1) links.push(to(current - 1, 'prev'));
  if (hasNext) links.push(to(current + 1, 'next'));
  links.push(to(1, 'first'));
  if (totalPages !== undefined) links.push(to(totalPages, 'last'));
  const next = hasNext ? [to(current + 1, 'next')] : [];
  const link = [links.join(', '), ...next].find(({ length }) => length <= longestLink);
  return link === undefined ? {} : { link };
}

/** The same request with some parameters changed; every filter stays, since clients follow the link unchanged. */
function linkTo({ url, externalUrl }: GraphqlRequest, changed: Record<string, string | number>): string {
  const [path, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  // A credential in the query is left out: links end up in logs.
  for (const secret of ['private_token', 'access_token', 'job_token']) parameters.delete(secret);
  for (const [name, value] of Object.entries(changed)) parameters.set(name, String(value));
  return `${externalUrl}${path}?${parameters}`;
}
