import { environmentVariables, placedEnvironment } from './environment-variables';

it('adds the variables of its environment to a job, resolved', () => {
  const environment = { name: 'review/$BRANCH', url: 'https://$CI_ENVIRONMENT_SLUG.example.com', autoStopIn: '$DAYS' };
  const placed = placedEnvironment(environment, { BRANCH: 'topic', DAYS: '2 days' });
  expect(placed).toMatchObject({ name: 'review/topic', action: 'start', autoStopIn: '2 days' });
  const variables = environmentVariables(placed);
  expect(variables).toMatchObject({
    CI_ENVIRONMENT_NAME: 'review/topic',
    CI_ENVIRONMENT_ACTION: 'start',
    CI_ENVIRONMENT_TIER: 'development',
    CI_ENVIRONMENT_URL: `https://${variables.CI_ENVIRONMENT_SLUG}.example.com`,
  });
  expect(environmentVariables(undefined)).toEqual({});
});

it('puts no more of a variable in than can be shown', () => {
  const large = { A: 'x'.repeat(8 * 1024 ** 2) };
  const placed = placedEnvironment({ name: '$A'.repeat(127), url: '$A'.repeat(1000) }, large);
  expect(placed).toMatchObject({ name: 'x'.repeat(255), url: 'x'.repeat(2000) });
});
