import { address, choice, flag, type IntegrationEvent, type IntegrationKind, required, secret, text } from './kind';

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
export const branches_to_be_notified = choice(
  'Which branches count',
  'all',
  'default',
  'protected',
  'default_and_protected',
);
const brokenOnly = { notify_only_broken_pipelines: flag('Says nothing of pipelines that succeed') };
const chat = { webhook, branches_to_be_notified, ...brokenOnly };

const channels = Object.fromEntries(
  chatEvents.map((event) => {
    const named = event === 'issues' || event === 'merge_requests' ? event.slice(0, -1) : event;
    const name = event === 'confidential_issues' ? 'confidential_issue' : named;
    return [`${name}_channel`, text(`Channel for ${name.replaceAll('_', ' ')} messages, instead of \`channel\``, 255)];
  }),
);
const channelled = {
  ...chat,
  username: text('Name that messages come under, or that the program signs in with', 255),
  channel: text('Channel for messages', 255),
  notify_only_default_branch: flag('Older form of `branches_to_be_notified`'),
  ...channels,
};

const webhookChat = (slug: string, title: string, fields: IntegrationKind['fields'] = chat): IntegrationKind => ({
  slug,
  title,
  profile: 'webhook chat',
  fields,
  events: chatEvents,
});

const token = required(secret(text('Token that the other system gave')));

export const chats: readonly IntegrationKind[] = [
  webhookChat('slack', 'Slack notifications', channelled),
  webhookChat('mattermost', 'Mattermost notifications', channelled),
  webhookChat('discord', 'Discord notifications'),
  webhookChat('hangouts-chat', 'Hangouts Chat'),
  webhookChat('microsoft-teams', 'Microsoft Teams notifications'),
  webhookChat('unify-circuit', 'Unify Circuit'),
  webhookChat('webex-teams', 'Webex Teams'),
  {
    slug: 'campfire',
    title: 'Campfire',
    profile: 'chat token',
    fields: {
      token,
      subdomain: text('The part of the address before the first dot', 63),
      room: text('Room for messages: a number, or a name', 255),
    },
    events: ['push'],
  },
  {
    slug: 'hipchat',
    title: 'HipChat',
    profile: 'chat token',
    fields: {
      token,
      room: text('Room for messages: a number, or a name', 255),
      server: address('Address of a server of your own'),
      color: text('Colour of messages', 20),
      notify: flag('Messages make a sound'),
      api_version: text('`v2`, as ever', 10),
      notify_only_broken_pipelines: brokenOnly.notify_only_broken_pipelines,
    },
    events: chatEvents,
  },
  {
    slug: 'flowdock',
    title: 'Flowdock',
    profile: 'git-source token',
    fields: { token },
    events: ['push'],
  },
  {
    slug: 'pushover',
    title: 'Pushover',
    profile: 'notice',
    fields: {
      api_key: required(secret(text('Key of the application'))),
      user_key: required(secret(text('Key of the user or group that hears of it'))),
      priority: required(text('From -2, in silence, to 2, until somebody confirms', 2)),
      device: text('One device of the user', 255),
      sound: text('Name of the sound', 255),
    },
    events: ['push'],
  },
  {
    slug: 'slack-slash-commands',
    title: 'Slack slash commands',
    profile: 'slash commands',
    fields: { token },
    events: [],
  },
  {
    slug: 'mattermost-slash-commands',
    title: 'Mattermost slash commands',
    profile: 'slash commands',
    fields: { token, username: channelled.username },
    events: [],
  },
];
