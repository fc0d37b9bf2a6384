import { chatMessage } from '../chat/chat-message';
import { isGone, type Payload, type PushPayload, refName } from '../payload/payload';
import {
  basicAuth,
  below,
  type OutgoingRequest,
  postForm,
  postJson,
  type Settings,
  setting,
} from '../request/outgoing';
import { htmlText, plainText } from '../words/part';

const isPush = (payload: Payload): payload is PushPayload => payload.object_kind === 'push';

/** One line and the commits, as plain text. */
function plainMessage(payload: Payload): string | undefined {
  const message = chatMessage(payload);
  return message && [message.summary, ...message.details].map(plainText).join('\n');
}

/** A room of a subdomain, by number. */
export function campfireRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const body = plainMessage(payload);
  const subdomain = setting(settings, 'subdomain');
  if (body === undefined || !isHostLabel(subdomain) || !settings.room) return [];
  const url = below(`https://${subdomain}.campfirenow.com`, ['room', setting(settings, 'room'), 'speak.json']);
  return [postJson(url, { message: { type: 'TextMessage', body } }, basicAuth(setting(settings, 'token'), 'X'))];
}

export function hipchatRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const message = chatMessage(payload);
  if (!message || !settings.room) return [];
  const base = setting(settings, 'server') || 'https://api.hipchat.com';
  const url = below(base, ['v2', 'room', setting(settings, 'room'), 'notification'], {
    auth_token: setting(settings, 'token'),
  });
  return [
    postJson(url, {
      message: [message.summary, ...message.details].map(htmlText).join('<br>'),
      message_format: 'html',
      color: setting(settings, 'color') || 'yellow',
      notify: settings.notify === true,
    }),
  ];
}

export function flowdockRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const message = chatMessage(payload);
  if (!message || !isPush(payload)) return [];
  const { project } = payload;
  const activity = {
    flow_token: setting(settings, 'token'),
    event: 'activity',
    external_thread_id: `${project.path_with_namespace}:${payload.ref}`,
    author: { name: payload.user_name ?? project.name, email: payload.user_email ?? '' },
    title: htmlText(message.summary),
    body: message.details.map(htmlText).join('<br>'),
    thread: { title: `${project.path_with_namespace}:${refName(payload)}`, external_url: project.web_url },
  };
  return [postJson('https://api.flowdock.com/v1/messages', activity)];
}

/** Repeated every minute for an hour, until a user confirms it. */
const urgent = { retry: '60', expire: '3600' };

export function pushoverRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const message = chatMessage(payload);
  if (!message || !isPush(payload)) return [];
  const { project, total_commits_count } = payload;
  const fields = {
    token: setting(settings, 'api_key'),
    user: setting(settings, 'user_key'),
    priority: setting(settings, 'priority'),
    title: project.path_with_namespace.slice(0, 250),
    message:
      `${plainText(message.summary)}${isGone(payload) ? '' : `\nTotal commits count: ${total_commits_count}`}`.slice(
        0,
        1024,
      ),
    url: project.web_url,
    url_title: `See project ${project.path_with_namespace}`.slice(0, 100),
    ...(settings.device && { device: setting(settings, 'device') }),
    ...(settings.sound && { sound: setting(settings, 'sound') }),
    ...(settings.priority === '2' && urgent),
  };
  return [postForm('https://api.pushover.net/1/messages.json', fields)];
}

/** A host name label that cannot lead to another host. */
export const isHostLabel = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/i.test(text);
