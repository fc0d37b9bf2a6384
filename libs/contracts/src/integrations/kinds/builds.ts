import { address, flag, type IntegrationKind, link, required, secret, text } from './kind';

const username = required(text('Name that messages come under, or that the program signs in with', 255));
const password = required(secret(text('Password or token of that user')));
const token = required(secret(text('Token that the other system gave')));
const enable_ssl_verification = flag('Kept and shown; certificates are always looked at');
const project_url = required(link('Address of the project there'));

/** Other systems that build and test what is pushed, hear how that went, or take packages. */
export const builds: readonly IntegrationKind[] = [
  {
    slug: 'bamboo',
    title: 'Atlassian Bamboo',
    profile: 'build server',
    fields: {
      bamboo_url: required(address('Address of the server')),
      build_key: required(text('Key of the plan that builds', 255)),
      username,
      password,
    },
    events: ['push'],
  },
  {
    slug: 'teamcity',
    title: 'JetBrains TeamCity',
    profile: 'build server',
    fields: {
      teamcity_url: required(address('Address of the server')),
      build_type: required(text('Id of the configuration that builds', 255)),
      username,
      password,
    },
    events: ['push'],
  },
  {
    slug: 'jenkins',
    title: 'Jenkins',
    profile: 'build server',
    fields: {
      jenkins_url: required(address('Address of the server')),
      project_name: required(text('Name of the project there', 255)),
      username: { ...username, isRequired: false },
      password: { ...password, isRequired: false },
    },
    events: ['push', 'merge_requests', 'tag_push'],
  },
  {
    slug: 'jenkins-deprecated',
    title: 'Jenkins (deprecated)',
    profile: 'build server',
    fields: {
      project_url,
      pass_unstable: flag('An unstable build counts as one that passed'),
      multiproject_enabled: flag('Branches have projects of their own there'),
    },
    events: [],
    tier: 'enterprise',
  },
  {
    slug: 'buildkite',
    title: 'Buildkite',
    profile: 'CI server',
    fields: { token, project_url, enable_ssl_verification },
    events: ['push'],
  },
  {
    slug: 'drone-ci',
    title: 'Drone',
    profile: 'CI server',
    fields: { token, drone_url: required(address('Address of the server')), enable_ssl_verification },
    events: ['push', 'merge_requests', 'tag_push'],
  },
  {
    slug: 'mock-ci',
    title: 'MockCI',
    profile: 'CI server',
    fields: { mock_service_url: required(link('Address of the stand-in')) },
    events: [],
  },
  {
    slug: 'packagist',
    title: 'Packagist',
    profile: 'CI server',
    fields: { username, token, server: address('Address of a server of your own') },
    events: ['push', 'merge_requests', 'tag_push'],
  },
  {
    slug: 'github',
    title: 'GitHub',
    profile: 'token and repository',
    fields: {
      token,
      repository_url: required(address('Address of the repository there')),
      static_context: flag('Statuses bear the name of this server'),
    },
    events: ['pipeline'],
    tier: 'enterprise',
  },
];
