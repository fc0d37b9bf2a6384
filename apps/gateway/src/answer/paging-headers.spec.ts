import { pagingHeaders } from './paging-headers';

const asked = {
  externalUrl: 'http://host',
  url: '/api/v4/projects?search=x&per_page=10&private_token=s',
  page: 1,
  perPage: 10,
};

function headersOf(total: number | undefined, page: number, itemsOnPage = 10): Record<string, string> {
  return pagingHeaders({ total }, { ...asked, page }, () => itemsOnPage);
}

describe('pagingHeaders', () => {
  it('contains totals, and the pages before and after', () => {
    expect(headersOf(25, 2)).toMatchObject({
      'x-page': '2',
      'x-per-page': '10',
      'x-total': '25',
      'x-total-pages': '3',
      'x-next-page': '3',
      'x-prev-page': '1',
    });
  });

  it('links to all neighbours with every filter, and without the credential', () => {
    const link = (page: number, rel: string) =>
      `<http://host/api/v4/projects?search=x&per_page=10&page=${page}>; rel="${rel}"`;
    expect(headersOf(25, 2).link).toBe(
      [link(1, 'prev'), link(3, 'next'), link(1, 'first'), link(3, 'last')].join(', '),
    );
  });

  it('sends the next and previous page empty if there is none', () => {
    expect(headersOf(0, 1)).toMatchObject({
      'x-next-page': '',
      'x-prev-page': '',
      'x-total': '0',
      'x-total-pages': '1',
    });
  });

  it('omits totals that were not counted and continues while pages are full', () => {
    const full = headersOf(undefined, 5);
    expect(full).not.toHaveProperty('x-total');
    expect(full.link).not.toContain('last');
    expect(full['x-next-page']).toBe('6');
    expect(headersOf(undefined, 5, 9)['x-next-page']).toBe('');
  });

  it('counts more than 100 on a page as 100', () => {
    expect(pagingHeaders({ total: 500 }, { ...asked, perPage: 1000 }, () => 100)['x-total-pages']).toBe('5');
  });

  it('contains the numbers if links are longer than clients read', () => {
    const withIds = (count: number) => {
      const url = `/api/v4/projects/1/issues?${Array.from({ length: count }, (_, at) => `iids[]=${at}`).join('&')}`;
      return pagingHeaders({ total: 500 }, { ...asked, url, page: 2 }, () => 10);
    };
    expect(withIds(50).link).toMatch(/rel="prev".*rel="next".*rel="first".*rel="last"/);
    expect(withIds(200).link).toMatch(/^<[^>]*&page=3&per_page=10>; rel="next"$/);
    expect(withIds(10_000)).not.toHaveProperty('link');
    expect(withIds(10_000)).toMatchObject({ 'x-total': '500', 'x-next-page': '3', 'x-prev-page': '1' });
  });

  it('links keyset pages by next only, and not at the end', () => {
    const keyset = (next?: Record<string, number>) => pagingHeaders({ isKeyset: true, next }, asked, () => 10);
    expect(keyset({ id_after: 42 }).link).toBe(
      '<http://host/api/v4/projects?search=x&per_page=10&id_after=42>; rel="next"',
    );
    expect(keyset()).toEqual({});
  });
});
