import { shareOf } from './share';

it.each([
  [1, 3, '33.33%'],
  [39, 40, '97.50%'],
  [5, 5, '100.00%'],
  [6, 5, '100.00%'],
  [0, 5, '0.00%'],
  [5, 0, '0.00%'],
  [null, 5, '0.00%'],
  [5, undefined, '0.00%'],
])('is of %s of %s %s', (part, whole, shown) => expect(shareOf(part, whole)).toBe(shown));
