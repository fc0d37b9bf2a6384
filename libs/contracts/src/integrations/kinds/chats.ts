import {
  branches_to_be_notified,
  notify_only_broken_pipelines,
  notify_only_default_branch,
  room,
  server,
  subdomain,
  token,
  username,
} from './fields';
import { address, flag, type IntegrationEvent, type IntegrationKind, ofProfile, required, secret, text } from './kind';

const chatEvents: readonly IntegrationEvent[] = [
  'push',
  'issues',
  'confidential_issues',
  'merge_requests',
  'tag_push',
  'note',
  'confidential_note',
  'pipeline',
  'wiki_page',
];

const webhook = required(secret(address('Address that the chat program gave for messages')));
const chat = { webhook, branches_to_be_notified, notify_only_broken_pipelines };

const channels = Object.fromEntries(
  chatEvents.map((event) => {
    const named = event === 'issues' || event === 'merge_requests' ? event.slice(0, -1) : event;
    const name = event === 'confidential_issues' ? 'confidential_issue' : named;
    return [`${name}_channel`, text(`Channel for ${name.replaceAll('_', ' ')} messages, instead of \`channel\``, 255)];
  }),
);
const channelled = {
  ...chat,
  username,
  channel: text('Channel for messages', 255),
  notify_only_default_branch,
  ...channels,
};

const webhookChat = (slug: string, title: string, fields: IntegrationKind['fields'] = chat): IntegrationKind =>
  ofProfile('webhook chat')(slug, title, fields, chatEvents);
const chatByToken = ofProfile('chat token');
const slashCommands = ofProfile('slash commands');

export const chats: readonly IntegrationKind[] = [
  webhookChat('slack', 'Slack notifications', channelled),
  webhookChat('mattermost', 'Mattermost notifications', channelled),
  webhookChat('discord', 'Discord notifications'),
  webhookChat('hangouts-chat', 'Hangouts Chat'),
  webhookChat('microsoft-teams', 'Microsoft Teams notifications'),
  webhookChat('unify-circuit', 'Unify Circuit'),
  webhookChat('webex-teams', 'Webex Teams'),
  chatByToken('campfire', 'Campfire', { token, subdomain, room }, ['push']),
  chatByToken(
    'hipchat',
    'HipChat',
    {
      token,
      room,
      server,
      color: text('Colour of messages', 20),
      notify: flag('Messages make a sound'),
      api_version: text('`v2`, as ever', 10),
      notify_only_broken_pipelines,
    },
    chatEvents,
  ),
  ofProfile('git-source token')('flowdock', 'Flowdock', { token }, ['push']),
  ofProfile('notice')(
    'pushover',
    'Pushover',
    {
      api_key: required(secret(text('Key of the application'))),
      user_key: required(secret(text('Key of the user or group that receives messages'))),
      priority: required(text('From -2 (silent) to 2 (repeated until confirmed)', 2)),
      device: text('One device of the user', 255),
      sound: text('Name of the sound', 255),
    },
    ['push'],
  ),
  slashCommands('slack-slash-commands', 'Slack slash commands', { token }),
  slashCommands('mattermost-slash-commands', 'Mattermost slash commands', { token, username }),
];
