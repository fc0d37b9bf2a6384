import { account, api_url, project_url, subdomain, token } from './fields';
import { address, type IntegrationKind, link, ofProfile, required, secret, text } from './kind';

const tracker = {
  issues_url: required(link('Address of an issue, with `:id` for its number')),
  project_url,
  description: text('Description'),
};
const withNew = { new_issue_url: required(link('Address where a new issue is written')), ...tracker };

const issueTracker = ofProfile('issue tracker');
const taskTracker = ofProfile('task tracker');

const restrict_to_branch = text('Branches whose pushes are sent, separated by commas; empty for all');

/** External issue trackers: references to their issues become links, or comments. */
export const trackers: readonly IntegrationKind[] = [
  issueTracker('bugzilla', 'Bugzilla', { ...withNew, title: text('Name of the tracker', 255) }),
  issueTracker('custom-issue-tracker', 'Custom issue tracker', { ...withNew, title: text('Name of the tracker', 255) }),
  issueTracker('ewm', 'EWM', withNew),
  issueTracker('redmine', 'Redmine', withNew),
  issueTracker('youtrack', 'YouTrack', tracker),
  issueTracker(
    'jira',
    'Jira',
    {
      url: required(address('Address of the tracker')),
      api_url,
      username: required(text('Name that comments come under, or that the program signs in with', 255)),
      password: account.password,
      jira_issue_transition_id: text('Numbers of the transitions that close an issue, joined by commas', 255),
    },
    ['commit', 'merge_requests'],
  ),
  taskTracker('asana', 'Asana', { api_key: required(secret(text('Token of a user there'))), restrict_to_branch }, [
    'push',
  ]),
  taskTracker('pivotaltracker', 'Pivotal Tracker', { token, restrict_to_branch }, ['push']),
  ofProfile('token and subdomain')('assembla', 'Assembla', { token, subdomain }, ['push']),
];
