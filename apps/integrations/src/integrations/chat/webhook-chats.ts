import { eventOf, type Payload } from '../payload/payload';
import type { Settings } from '../request/outgoing';
import { setting } from '../request/outgoing';
import { markdownText, type Part, plainText, slackText, type Writing } from '../words/part';
import type { ChatMessage } from './chat-message';

/** The request body of a chat program's webhook. */
export type ChatBody = (message: ChatMessage, settings: Settings, payload: Payload) => unknown;

const colours = { neutral: '#345345', good: '#2eb886', bad: '#d00000' } as const;
const colourNumber = (mood: ChatMessage['mood']): number => Number.parseInt(colours[mood].slice(1), 16);

const linesAs = (write: Writing, details: readonly Part[][]): string => details.map(write).join('\n');

/** The format of Slack, which Mattermost accepts as well. */
export const slackBody: ChatBody = (message, settings, payload) => {
  const channel = setting(settings, channelSetting(payload)) || setting(settings, 'channel');
  const text = linesAs(slackText, message.details);
  return {
    ...(channel && { channel: channel.split(',')[0]?.trim() }),
    ...(settings.username && { username: settings.username }),
    text: slackText(message.summary),
    attachments: text
      ? [
          {
            fallback: plainText(message.summary),
            color: colours[message.mood],
            ...(message.title && { title: slackText([message.title.text]), title_link: message.title.url }),
            text,
            mrkdwn_in: ['text'],
          },
        ]
      : [],
  };
};

/** `push_channel` and similar; the name for issues is singular, as in the API. */
function channelSetting(payload: Payload): string {
  const event = eventOf(payload);
  return `${event.replace(/^(confidential_)?(issue|merge_request)s$/, '$1$2')}_channel`;
}

export const discordBody: ChatBody = (message) => ({
  embeds: [
    {
      author: {
        name: message.author.name.slice(0, 256),
        ...(message.author.avatarUrl && { icon_url: message.author.avatarUrl }),
      },
      color: colourNumber(message.mood),
      description: [markdownText(message.summary), linesAs(markdownText, message.details)]
        .filter((text) => text !== '')
        .join('\n')
        .slice(0, 4096),
    },
  ],
  // Texts of users must not mention members of the chat.
  allowed_mentions: { parse: [] },
});

export const hangoutsBody: ChatBody = (message) => ({
  text: [slackText(message.summary), linesAs(slackText, message.details)].filter((text) => text !== '').join('\n'),
});

export const teamsBody: ChatBody = (message) => ({
  '@type': 'MessageCard',
  '@context': 'https://schema.org/extensions',
  summary: plainText(message.summary),
  themeColor: colours[message.mood].slice(1),
  sections: [
    {
      activityTitle: markdownText(message.summary),
      activitySubtitle: markdownText([{ text: message.project.name, url: message.project.url }]),
      ...(message.author.avatarUrl && { activityImage: message.author.avatarUrl }),
    },
    ...(message.details.length > 0
      ? [
          {
            title: message.title ? markdownText([message.title]) : 'Details',
            text: message.details.map(markdownText).join('\n\n'),
          },
        ]
      : []),
  ],
});

export const circuitBody: ChatBody = (message) => ({
  subject: message.project.name,
  text: withDetails(message),
  markdown: true,
});

export const webexBody: ChatBody = (message) => ({ markdown: withDetails(message) });

const withDetails = ({ summary, details }: ChatMessage): string =>
  [markdownText(summary), ...details.map((line) => markdownText(line))].join('\n\n');
