import { account, password, project_url, server, token, username } from './fields';
import { address, flag, type IntegrationKind, link, ofProfile, required, text } from './kind';

const buildServer = ofProfile('build server');
const ciServer = ofProfile('CI server');

const ofServer = required(address('Address of the server'));
const enable_ssl_verification = flag('Whether the certificate of the server is verified');

/** Systems that build and test pushes, receive results, or store packages. */
export const builds: readonly IntegrationKind[] = [
  buildServer(
    'bamboo',
    'Atlassian Bamboo',
    {
      bamboo_url: ofServer,
      build_key: required(text('Key of the plan that builds', 255)),
      ...account,
      enable_ssl_verification,
    },
    ['push'],
  ),
  buildServer(
    'teamcity',
    'JetBrains TeamCity',
    {
      teamcity_url: ofServer,
      build_type: required(text('Id of the configuration that builds', 255)),
      ...account,
      enable_ssl_verification,
    },
    ['push'],
  ),
  buildServer(
    'jenkins',
    'Jenkins',
    {
      jenkins_url: ofServer,
      project_name: required(text('Name of the project there', 255)),
      username,
      password,
      enable_ssl_verification,
    },
    ['push', 'merge_requests', 'tag_push'],
  ),
  {
    ...buildServer('jenkins-deprecated', 'Jenkins (deprecated)', {
      project_url,
      pass_unstable: flag('An unstable build counts as one that passed'),
      multiproject_enabled: flag('Branches have projects of their own there'),
    }),
    tier: 'enterprise',
  },
  ciServer('buildkite', 'Buildkite', { token, project_url, enable_ssl_verification }, ['push']),
  ciServer('drone-ci', 'Drone', { token, drone_url: ofServer, enable_ssl_verification }, [
    'push',
    'merge_requests',
    'tag_push',
  ]),
  ciServer('mock-ci', 'MockCI', { mock_service_url: required(link('URL of the mock service')) }),
  ciServer('packagist', 'Packagist', { username: account.username, token, server }, [
    'push',
    'merge_requests',
    'tag_push',
  ]),
  {
    ...ofProfile('token and repository')(
      'github',
      'GitHub',
      {
        token,
        repository_url: required(address('Address of the repository there')),
        static_context: flag('Statuses bear the name of this server'),
      },
      ['pipeline'],
    ),
    tier: 'enterprise',
  },
];
