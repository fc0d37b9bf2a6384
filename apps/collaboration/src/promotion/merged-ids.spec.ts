import { mergedIds, mostMergedIds } from './merged-ids';

const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

it('a promotion adds each merged id once', () => {
  expect(mergedIds([3, 1, 3])).toEqual([3, 1]);
  expect(mergedIds([1, ...many(mostMergedIds)])).toHaveLength(mostMergedIds);
});

it('a promotion of more ids than a document holds is refused', () => {
  expect(() => mergedIds(many(mostMergedIds + 1))).toThrow(expect.objectContaining({ code: 'common.invalid_record' }));
});
