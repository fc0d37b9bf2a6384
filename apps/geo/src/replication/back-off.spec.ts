import { againAfterMs } from './back-off';

it.each([
  [0, 10_000],
  [1, 20_000],
  [4, 160_000],
  [50, 3_600_000],
])('waits after %i failures for %i ms, and up to a fifth longer', (tries, ms) => {
  const waited = againAfterMs(tries, { firstMs: 10_000, longestMs: 3_600_000 });
  expect(waited).toBeGreaterThanOrEqual(ms);
  expect(waited).toBeLessThanOrEqual(ms * 1.2);
});
