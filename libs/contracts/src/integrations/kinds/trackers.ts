import { address, type IntegrationKind, link, required, secret, text } from './kind';

const tracker = {
  issues_url: required(link('Address of an issue, with `:id` for its number')),
  project_url: required(link('Address of the project there')),
  description: text('What is said of it'),
};
const withNew = { new_issue_url: required(link('Address where a new issue is written')), ...tracker };

const issueTracker = (slug: string, title: string, fields: IntegrationKind['fields']): IntegrationKind => ({
  slug,
  title,
  profile: 'issue tracker',
  fields,
  events: [],
});

const restrict_to_branch = text('Branches whose pushes count, joined by commas; all when blank');

/** Other systems in which work is planned: references to it become links, or comments. */
export const trackers: readonly IntegrationKind[] = [
  issueTracker('bugzilla', 'Bugzilla', { ...withNew, title: text('Name of the tracker', 255) }),
  issueTracker('custom-issue-tracker', 'Custom issue tracker', { ...withNew, title: text('Name of the tracker', 255) }),
  issueTracker('ewm', 'EWM', withNew),
  issueTracker('redmine', 'Redmine', withNew),
  issueTracker('youtrack', 'YouTrack', tracker),
  {
    slug: 'jira',
    title: 'Jira',
    profile: 'issue tracker',
    fields: {
      url: required(address('Address of the tracker')),
      api_url: address('Address of its interface, where that is another'),
      username: required(text('Name that comments come under, or that the program signs in with', 255)),
      password: required(secret(text('Password or token of that user'))),
      jira_issue_transition_id: text('Numbers of the transitions that close an issue, joined by commas', 255),
    },
    events: ['commit', 'merge_requests'],
  },
  {
    slug: 'asana',
    title: 'Asana',
    profile: 'task tracker',
    fields: { api_key: required(secret(text('Token of a user there'))), restrict_to_branch },
    events: ['push'],
  },
  {
    slug: 'pivotaltracker',
    title: 'Pivotal Tracker',
    profile: 'task tracker',
    fields: { token: required(secret(text('Token that the other system gave'))), restrict_to_branch },
    events: ['push'],
  },
  {
    slug: 'assembla',
    title: 'Assembla',
    profile: 'token and subdomain',
    fields: {
      token: required(secret(text('Token that the other system gave'))),
      subdomain: text('The part of the address before the first dot', 63),
    },
    events: ['push'],
  },
];
