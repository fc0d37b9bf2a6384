import { type ChatMessage, chatMessage } from '../chat/chat-message';
import {
  type ChatBody,
  circuitBody,
  discordBody,
  hangoutsBody,
  slackBody,
  teamsBody,
  webexBody,
} from '../chat/webhook-chats';
import type { Payload } from '../payload/payload';
import { type OutgoingRequest, postJson, type Settings, setting } from '../request/outgoing';
import { linked, type Tracker } from '../tracker/external-issues';
import {
  bambooRequests,
  buildkiteRequests,
  commitStatusRequests,
  datadogRequests,
  droneRequests,
  jenkinsRequests,
  packagistRequests,
  teamcityRequests,
} from './builds';
import { campfireRequests, flowdockRequests, hipchatRequests, pushoverRequests } from './chat-rooms';
import { asanaRequests, assemblaRequests, jiraRequests, pivotalTrackerRequests } from './tasks';

/** Context of a request besides the payload. */
export interface Setting {
  settings: Settings;
  /** Value of the setting `comment_on_event_enabled`. */
  comments: boolean;
  /** The external issue tracker of the project, if it has one. */
  tracker: Tracker | undefined;
}

/** The requests of an integration for an event, in order. */
type RequestBuilder = (payload: Payload, around: Setting) => OutgoingRequest[];

const chat =
  (body: ChatBody): RequestBuilder =>
  (payload, { settings, tracker }) => {
    const message = chatMessage(payload);
    if (!message) return [];
    return [
      postJson(setting(settings, 'webhook'), body(tracker ? withLinks(message, tracker) : message, settings, payload)),
    ];
  };

const withLinks = (message: ChatMessage, tracker: Tracker): ChatMessage => ({
  ...message,
  details: message.details.map((line) =>
    line.flatMap((part) => (typeof part === 'string' ? linked(part, tracker) : [part])),
  ),
});

const plain =
  (requests: (payload: Payload, settings: Settings) => OutgoingRequest[]): RequestBuilder =>
  (payload, { settings }) =>
    requests(payload, settings);

/** By slug, for integrations over HTTP. */
export const requestBuilders: Readonly<Record<string, RequestBuilder>> = {
  asana: plain(asanaRequests),
  assembla: plain(assemblaRequests),
  bamboo: plain(bambooRequests),
  buildkite: plain(buildkiteRequests),
  campfire: plain(campfireRequests),
  datadog: plain(datadogRequests),
  discord: chat(discordBody),
  'drone-ci': plain(droneRequests),
  flowdock: plain(flowdockRequests),
  github: plain(commitStatusRequests),
  'hangouts-chat': chat(hangoutsBody),
  hipchat: plain(hipchatRequests),
  jenkins: plain(jenkinsRequests),
  jira: (payload, { settings, comments }) => jiraRequests(payload, settings, comments),
  mattermost: chat(slackBody),
  'microsoft-teams': chat(teamsBody),
  packagist: plain(packagistRequests),
  pivotaltracker: plain(pivotalTrackerRequests),
  pushover: plain(pushoverRequests),
  slack: chat(slackBody),
  teamcity: plain(teamcityRequests),
  'unify-circuit': chat(circuitBody),
  'webex-teams': chat(webexBody),
};
