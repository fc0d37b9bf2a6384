import { environmentSlug, tierOf, typeOf } from './environment-name';

it.each([
  ['production', /^production$/],
  ['review/a', /^review-a-[0-9a-f]{6}$/],
  ['review-a', /^review-a$/],
  ['1st', /^env-1st-[0-9a-f]{6}$/],
  ['a'.repeat(30), /^a{17}-[0-9a-f]{6}$/],
])('makes of %s a name for hosts', (name, slug) => {
  expect(environmentSlug(name)).toMatch(slug);
});

it.each([
  ['production', 'production'],
  ['Live eu', 'production'],
  ['staging', 'staging'],
  ['stg', 'staging'],
  ['qa/2', 'testing'],
  ['review/topic', 'development'],
  ['elsewhere', 'other'],
])('accepts %s for %s', (name, tier) => {
  expect(tierOf(name)).toBe(tier);
});

it('finds the folder of a name', () => {
  expect(['review/a/b', 'production'].map(typeOf)).toEqual(['review', null]);
});
