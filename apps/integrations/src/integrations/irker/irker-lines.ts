import { chatMessage } from '../chat/chat-message';
import type { Payload } from '../payload/payload';
import { type Settings, setting } from '../request/outgoing';
import { plainText } from '../words/part';

const mostRecipients = 50;
const bold = '\u0002';

/** The text for the irker gateway: one line with a JSON object for each line of the message. */
export function irkerLines(payload: Payload, settings: Settings): string {
  const message = chatMessage(payload);
  const to = channelsIn(setting(settings, 'recipients'), setting(settings, 'default_irc_uri'));
  if (!message || to.length === 0) return '';
  const [summary = '', ...details] = [message.summary, ...message.details].map(plainText);
  const first = settings.colorize_messages === true ? `${bold}${message.project.name}${bold} ${summary}` : summary;
  return [`${first} ${message.project.url}`, ...details]
    .map((line) => `${JSON.stringify({ to, privmsg: line.replace(/\s+/g, ' ').slice(0, 400) })}\n`)
    .join('');
}

/** Channels by URL, or by name on a common server. */
function channelsIn(recipients: string, base: string): string[] {
  const known = /^ircs?:\/\/./.test(base) ? base.replace(/\/?$/, '/') : '';
  return recipients
    .split(/\s+/)
    .slice(0, mostRecipients)
    .map((name) => (/^ircs?:\/\//.test(name) || name === '' ? name : `${known}${name}`))
    .filter((uri) => /^ircs?:\/\/[^/\s]+\/\S+$/.test(uri));
}
