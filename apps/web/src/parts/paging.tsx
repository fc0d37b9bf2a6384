import type { Address } from '../page/page';

/** Rows of a page with a list. */
export const perPage = 20;

/** The page that an address asks for; the first one unless it is a number. */
export const pageOf = ({ query }: Address): number =>
  Math.max(1, Math.min(Number.parseInt(query.get('page') ?? '', 10) || 1, 1_000_000));

/** Links to the previous and the next page of a list. @param shown rows of this page @param full rows of a full page */
export const Paging = ({ address, shown, full = perPage }: { address: Address; shown: number; full?: number }) => {
  const page = pageOf(address);
  const hasNext = shown === full;
  if (page === 1 && !hasNext) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a rel="prev" href={withPage(address, page - 1)}>
          Previous page
        </a>
      )}
      <span class="dim">Page {page}</span>
      {hasNext && (
        <a rel="next" href={withPage(address, page + 1)}>
          Next page
        </a>
      )}
    </nav>
  );
};

function withPage({ query }: Address, page: number): string {
  const changed = new URLSearchParams(query);
  changed.set('page', String(page));
  return `?${changed}`;
}
