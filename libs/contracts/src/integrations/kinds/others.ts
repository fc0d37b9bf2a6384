import {
  api_url,
  branches_to_be_notified,
  notify_only_broken_pipelines,
  notify_only_default_branch,
  recipients,
} from './fields';
import { flag, type IntegrationKind, link, number, ofProfile, required, secret, text } from './kind';

const wiki = (slug: string, title: string, name: string): IntegrationKind =>
  ofProfile('link')(slug, title, { [name]: required(link('Address of the wiki')) });
const emails = ofProfile('emails');
const monitoring = ofProfile('monitoring');

/** Mails, links, and monitoring. */
export const others: readonly IntegrationKind[] = [
  emails(
    'emails-on-push',
    'Emails on push',
    {
      recipients,
      disable_diffs: flag('Mails without diffs'),
      send_from_committer_email: flag('Mails are from the user who pushed, if their address is of this server'),
      branches_to_be_notified,
    },
    ['push', 'tag_push'],
  ),
  emails(
    'pipelines-email',
    'Pipeline status emails',
    {
      recipients,
      add_pusher: flag('The user who started the pipeline gets mails, too'),
      notify_only_broken_pipelines,
      notify_only_default_branch,
      branches_to_be_notified,
    },
    ['pipeline'],
  ),
  ofProfile('notice')(
    'irker',
    'irker (IRC gateway)',
    {
      recipients,
      default_irc_uri: text('Where channels without a server of their own are, as `irc://irc.example.com/`'),
      server_host: text('Host of the gateway', 255),
      server_port: number('Port of the gateway'),
      colorize_messages: flag('Messages have colours'),
    },
    ['push'],
  ),
  wiki('external-wiki', 'External wiki', 'external_wiki_url'),
  wiki('confluence', 'Confluence Workspace', 'confluence_url'),
  monitoring(
    'datadog',
    'Datadog',
    {
      api_key: required(secret(text('Key of the account'))),
      datadog_site: text('Site of the account; `datadoghq.com` unless given', 255),
      api_url,
      datadog_service: text('Name that this server has there', 255),
      datadog_env: text('Value of the tag `env`', 255),
    },
    ['pipeline', 'job'],
  ),
  monitoring('prometheus', 'Prometheus', {
    api_url: required(api_url),
    google_iap_audience_client_id: text('Client of the proxy before it', 255),
    google_iap_service_account_json: secret(text('Account for the proxy before it, as JSON', 20_000)),
  }),
  monitoring('mock-deployment', 'Mock deployment', {}),
  monitoring('mock-monitoring', 'Mock monitoring', {}),
];
