import { absorbed, mostAbsorbed } from './most-absorbed';

const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

it('a promotion takes the place of each once', () => {
  expect(absorbed([3, 1, 3])).toEqual([3, 1]);
  expect(absorbed([1, ...many(mostAbsorbed)])).toHaveLength(mostAbsorbed);
});

it('of more than a document holds it is refused', () => {
  expect(() => absorbed(many(mostAbsorbed + 1))).toThrow(expect.objectContaining({ code: 'common.invalid_record' }));
});
