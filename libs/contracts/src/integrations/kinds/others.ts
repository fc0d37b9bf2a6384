import { branches_to_be_notified } from './chats';
import { address, flag, type IntegrationKind, link, number, required, secret, text } from './kind';

const recipients = (about: string) => required(text(about, 60_000));

const wiki = (slug: string, title: string, name: string): IntegrationKind => ({
  slug,
  title,
  profile: 'link',
  fields: { [name]: required(link('Address of the wiki')) },
  events: [],
});

/** Mails, links, and what watches. */
export const others: readonly IntegrationKind[] = [
  {
    slug: 'emails-on-push',
    title: 'Emails on push',
    profile: 'emails',
    fields: {
      recipients: recipients('Who hears of it, separated by blanks'),
      disable_diffs: flag('Mails come without what the commits change'),
      send_from_committer_email: flag('Mails come from whoever pushed, where the address is of this server'),
      branches_to_be_notified,
    },
    events: ['push', 'tag_push'],
  },
  {
    slug: 'pipelines-email',
    title: 'Pipeline status emails',
    profile: 'emails',
    fields: {
      recipients: recipients('Who hears of it, separated by blanks'),
      add_pusher: flag('Whoever began the pipeline hears of it too'),
      notify_only_broken_pipelines: flag('Says nothing of pipelines that succeed'),
      notify_only_default_branch: flag('Older form of `branches_to_be_notified`'),
      branches_to_be_notified,
    },
    events: ['pipeline'],
  },
  {
    slug: 'irker',
    title: 'irker (IRC gateway)',
    profile: 'notice',
    fields: {
      recipients: recipients('Who hears of it, separated by blanks'),
      default_irc_uri: text('Where channels without a server of their own are, as `irc://irc.example.com/`'),
      server_host: text('Host of the gateway', 255),
      server_port: number('Port of the gateway'),
      colorize_messages: flag('Messages have colours'),
    },
    events: ['push'],
  },
  wiki('external-wiki', 'External wiki', 'external_wiki_url'),
  wiki('confluence', 'Confluence Workspace', 'confluence_url'),
  {
    slug: 'datadog',
    title: 'Datadog',
    profile: 'monitoring',
    fields: {
      api_key: required(secret(text('Key of the account'))),
      datadog_site: text('Site of the account; `datadoghq.com` unless given', 255),
      api_url: address('Address of its interface, where that is another'),
      datadog_service: text('Name that this server has there', 255),
      datadog_env: text('Environment that is told of', 255),
    },
    events: ['pipeline', 'job'],
  },
  {
    slug: 'prometheus',
    title: 'Prometheus',
    profile: 'monitoring',
    fields: {
      api_url: required(address('Address of its interface, where that is another')),
      google_iap_audience_client_id: text('Client of the proxy before it', 255),
      google_iap_service_account_json: secret(text('Account for the proxy before it, as JSON', 20_000)),
    },
    events: [],
  },
  { slug: 'mock-deployment', title: 'Mock deployment', profile: 'monitoring', fields: {}, events: [] },
  { slug: 'mock-monitoring', title: 'Mock monitoring', profile: 'monitoring', fields: {}, events: [] },
];
