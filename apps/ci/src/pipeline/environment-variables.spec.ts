import { environmentSlug, environmentVariables } from './environment-variables';

it('tells a job of its environment, with variables put in', () => {
  const environment = { name: 'review/$BRANCH', url: 'https://$CI_ENVIRONMENT_SLUG.example.com' };
  const told = environmentVariables(environment, { BRANCH: 'topic' });
  expect(told).toMatchObject({ CI_ENVIRONMENT_NAME: 'review/topic', CI_ENVIRONMENT_ACTION: 'start' });
  expect(told.CI_ENVIRONMENT_URL).toBe(`https://${told.CI_ENVIRONMENT_SLUG}.example.com`);
  expect(environmentVariables(undefined, {})).toEqual({});
});

it('puts no more of a variable in than can be shown', () => {
  const large = { A: 'x'.repeat(8 * 1024 ** 2) };
  const told = environmentVariables({ name: '$A'.repeat(127), url: '$A'.repeat(1000) }, large);
  expect(told.CI_ENVIRONMENT_NAME).toBe('x'.repeat(255));
  expect(told.CI_ENVIRONMENT_URL).toBe('x'.repeat(2000));
});

it.each([
  ['production', /^production$/],
  ['review/a', /^review-a-[0-9a-f]{6}$/],
  ['review-a', /^review-a$/],
  ['1st', /^env-1st-[0-9a-f]{6}$/],
  ['a'.repeat(30), /^a{17}-[0-9a-f]{6}$/],
])('makes of %s a name for hosts', (name, slug) => {
  expect(environmentSlug(name)).toMatch(slug);
});
