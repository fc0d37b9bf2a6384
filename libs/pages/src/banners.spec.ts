import type { Banner } from '@moothall/contracts';
import { isMeant } from './banners';

const noon = Date.parse('2030-01-01T12:00:00Z');
const banner = (over: Partial<Banner> = {}): Banner => ({
  message: 'We move',
  starts_at: '2030-01-01T12:00:00.000Z',
  ends_at: '2030-01-01T13:00:00.000Z',
  target_access_levels: [],
  target_path: null,
  ...over,
});

it('is shown from its start until its end', () => {
  expect([-1, 0, 3_599_999, 3_600_000].map((ms) => isMeant(banner(), {}, noon + ms))).toEqual([
    ...[false, true, true, false],
  ]);
});

it.each([
  [null, undefined, true],
  ['', undefined, true],
  ['*', undefined, false],
  ['*', '/', true],
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', false],
  ['/A/*', '/a/b', true],
  ['*/issues', '/a/b/-/issues', true],
  ['*/issues', '/a/b/-/issues/1', false],
  ['/a/*/issues/*', '/a/b/-/issues/1', true],
])('for the path %j is shown at %j: %s', (target_path, path, expected) => {
  expect(isMeant(banner({ target_path }), { path }, noon)).toBe(expected);
});

it.each([
  [[], undefined, true],
  [[30, 40], undefined, false],
  [[30, 40], 40, true],
  [[30, 40], 50, false],
])('for the levels %j is shown to level %j: %s', (target_access_levels, accessLevel, expected) => {
  expect(isMeant(banner({ target_access_levels }), { accessLevel }, noon)).toBe(expected);
});
