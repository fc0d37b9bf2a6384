import { mergedIds, mostMergedIds } from './merged-ids';

const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

it('a promotion takes the place of each once', () => {
  expect(mergedIds([3, 1, 3])).toEqual([3, 1]);
  expect(mergedIds([1, ...many(mostMergedIds)])).toHaveLength(mostMergedIds);
});

it('of more than a document holds it is refused', () => {
  expect(() => mergedIds(many(mostMergedIds + 1))).toThrow(expect.objectContaining({ code: 'common.invalid_record' }));
});
