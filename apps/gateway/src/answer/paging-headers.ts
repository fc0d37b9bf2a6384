import { maxPerPage } from '@moothall/contracts';
import type { ReplyMeta } from '@moothall/messaging';

interface Asked {
  /** Path and query of the request as it came. */
  url: string;
  externalUrl: string;
  page: number;
  perPage: number;
}

type PageMeta = NonNullable<ReplyMeta['page']>;

/** Headers of a page. Source: clarifications A.5, A.6. */
export function pagingHeaders(page: PageMeta, asked: Asked, itemsOnPage: () => number): Record<string, string> {
  return page.isKeyset ? keysetHeaders(page, asked) : offsetHeaders(page, asked, itemsOnPage);
}

function keysetHeaders({ next }: PageMeta, asked: Asked): Record<string, string> {
  if (!next) return {};
  const link = `<${linkTo(asked, next)}>; rel="next"`;
  return { link, links: link };
}

function offsetHeaders({ total }: PageMeta, asked: Asked, itemsOnPage: () => number): Record<string, string> {
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
    link: offsetLinks(asked, perPage, current, hasNext, totalPages),
  };
  if (total !== undefined) Object.assign(headers, { 'x-total': String(total), 'x-total-pages': String(totalPages) });
  return headers;
}

function offsetLinks(asked: Asked, perPage: number, current: number, hasNext: boolean, totalPages?: number): string {
  const to = (page: number, rel: string) => `<${linkTo(asked, { page, per_page: perPage })}>; rel="${rel}"`;
  const links: string[] = [];
  if (current > 1) links.push(to(current - 1, 'prev'));
  if (hasNext) links.push(to(current + 1, 'next'));
  links.push(to(1, 'first'));
  if (totalPages !== undefined) links.push(to(totalPages, 'last'));
  return links.join(', ');
}

/** The request again with some parameters changed; every filter stays, since clients follow it as it is. */
function linkTo({ url, externalUrl }: Asked, changed: Record<string, string | number>): string {
  const [path, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  // A credential in the query is not repeated: links end up in logs.
  for (const secret of ['private_token', 'access_token', 'job_token']) parameters.delete(secret);
  for (const [name, value] of Object.entries(changed)) parameters.set(name, String(value));
  return `${externalUrl}${path}?${parameters}`;
}
