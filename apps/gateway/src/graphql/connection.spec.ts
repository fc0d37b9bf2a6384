import { connectionIn, connectionOf, pagesOf, spanOf } from './connection';
import { LimitExceeded } from './limits';

const letters = [...'abcdefghijk'];

/** Walks a list that is read in pages of the API. */
function walk(first: number): string[][] {
  const parts: string[][] = [];
  let after: string | null = null;
  for (let step = 0; step < 20; step++) {
    const span = spanOf({ first, after });
    const items = pagesOf(span).flatMap(({ page, per_page }) => letters.slice((page - 1) * per_page, page * per_page));
    const { nodes, page_info } = connectionIn(items, letters.length, span);
    parts.push(nodes);
    if (!page_info.has_next_page) return parts;
    after = page_info.end_cursor;
  }
  throw new Error('it does not end');
}

it.each([1, 2, 3, 5, 10, 11, 12, 100])('pages a list by %i', (first) => {
  expect(walk(first).flat()).toEqual(letters);
});

it('continues from any cursor, also with another size', () => {
  const { edges } = connectionOf(letters, { first: 4 });
  const { nodes, page_info } = connectionOf(letters, { first: 3, after: edges[1]!.cursor });
  expect(nodes).toEqual(['c', 'd', 'e']);
  expect(page_info).toMatchObject({ has_next_page: true, has_previous_page: true });
  expect(connectionOf(letters, { first: 0 })).toMatchObject({
    count: 11,
    nodes: [],
    page_info: { has_next_page: true },
  });
});

it.each([['bad'], ['LTE='], [Buffer.from('99999999').toString('base64')], ['MQ==x\0'], ['9'.repeat(100_000)]])(
  'refuses %j as a cursor, or accepts it as a number',
  (after) => {
    let skip = 0;
    try {
      ({ skip } = spanOf({ after }));
    } catch (error) {
      expect(error).toBeInstanceOf(LimitExceeded);
    }
    expect(skip).toBeGreaterThanOrEqual(0);
    expect(skip).toBeLessThanOrEqual(1_000_000);
  },
);

it('refuses negative sizes, and returns at most one page', () => {
  expect(() => spanOf({ first: -1 })).toThrow(LimitExceeded);
  expect(spanOf({ first: 5000 })).toEqual({ skip: 0, limit: 100 });
});
