import { z } from 'zod';

/** The events that an integration can receive; the switch of each is named `push_events` and so on. */
export const integrationEvents = [
  'commit',
  'push',
  'issues',
  'confidential_issues',
  'merge_requests',
  'tag_push',
  'note',
  'confidential_note',
  'pipeline',
  'wiki_page',
  'job',
] as const;
export type IntegrationEvent = (typeof integrationEvents)[number];

/** Kinds with the same settings and messages. */
export type IntegrationProfile =
  | 'task tracker'
  | 'token and subdomain'
  | 'chat token'
  | 'build server'
  | 'issue tracker'
  | 'CI server'
  | 'webhook chat'
  | 'slash commands'
  | 'emails'
  | 'link'
  | 'token and repository'
  | 'git-source token'
  | 'notice'
  | 'monitoring';

/** One setting of a kind. */
export interface IntegrationField {
  /** A `link` is for people alone; an `address` is one that this server sends to. */
  form: 'text' | 'link' | 'address' | 'flag' | 'number';
  /** Its description, for the API reference. */
  about: string;
  isRequired: boolean;
  /** Encrypted and never returned. */
  isSecret: boolean;
  /** Of texts, in characters. */
  maxLength: number;
  /** Allowed values of a text; the first is the default. */
  choices?: readonly [string, ...string[]];
}

/** A system elsewhere that projects can be connected with, as data. See docs/api/integrations.md#5. */
export interface IntegrationKind {
  slug: string;
  title: string;
  profile: IntegrationProfile;
  fields: Readonly<Record<string, IntegrationField>>;
  /** The events that it receives while their switches are on. */
  events: readonly IntegrationEvent[];
  tier?: 'enterprise';
}

const field =
  (form: IntegrationField['form']) =>
  (about: string, maxLength = 2000): IntegrationField => ({
    form,
    about,
    maxLength,
    isRequired: false,
    isSecret: false,
  });

export const text = field('text');
export const link = field('link');
export const address = field('address');
export const flag = field('flag');
export const number = field('number');
export const choice = (about: string, ...choices: [string, ...string[]]): IntegrationField => ({
  ...text(about),
  choices,
});
export const required = (one: IntegrationField): IntegrationField => ({ ...one, isRequired: true });
export const secret = (one: IntegrationField): IntegrationField => ({ ...one, isSecret: true });

/** Creates kinds with the same settings and messages. */
export const ofProfile =
  (profile: IntegrationProfile) =>
  (
    slug: string,
    title: string,
    fields: IntegrationKind['fields'],
    events: readonly IntegrationEvent[] = [],
  ): IntegrationKind => ({ slug, title, profile, fields, events });

/** The schema of a setting; whether it is required is a rule of its kind, not of the name. */
export function schemaOf({ form, maxLength, choices }: IntegrationField): z.ZodType {
  if (choices) return z.enum(choices);
  if (form === 'flag') return z.boolean();
  if (form === 'number') return z.int().min(0).max(65_535);
  return z.string().max(maxLength);
}
