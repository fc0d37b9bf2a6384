import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  id,
  internalOnProject,
  nothing,
  onProject,
  operation,
  projectRef,
  put,
  time,
} from '../operation';
import { type IntegrationField, integrationEvents, integrationKind, integrationKinds, schemaOf } from './kinds';

export const integrationErrors = errors('integration', {
  notFound: {
    status: 404,
    message: '404 Integration Not Found',
    means: 'There is no such kind of integration.',
  },
  settingRefused: {
    status: 400,
    message: '400 Bad request - A setting is invalid',
    means: 'A setting is no http or https URL, or its address is not permitted; the message names it.',
  },
});

const switches = Object.fromEntries(
  [...integrationEvents.map((event) => `${event}_events`), 'comment_on_event_enabled'].map((name) => [name, true]),
) as Record<`${(typeof integrationEvents)[number]}_events` | 'comment_on_event_enabled', true>;
export type IntegrationSwitch = keyof typeof switches;
/** Events of an integration, in the order of answers; enabled by default. */
export const integrationSwitches = Object.keys(switches) as IntegrationSwitch[];

const each = <S extends z.ZodType>(schema: (name: IntegrationSwitch) => S) =>
  Object.fromEntries(integrationSwitches.map((name) => [name, schema(name)])) as Record<IntegrationSwitch, S>;

/** See docs/api/integrations.md#2. */
export const Integration = z.object({
  id: id.nullable().describe('Null while the project has it not'),
  title: z.string(),
  slug: z.string(),
  created_at: time.nullable(),
  updated_at: time.nullable(),
  active: z.boolean(),
  ...each(() => z.boolean()),
});

const IntegrationSettings = Integration.extend({
  properties: z
    .record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]))
    .describe('Settings by their names, but for secret ones'),
});

/** Every setting of all kinds; the same name is the same setting everywhere. */
const settings = new Map<string, { field: IntegrationField; slugs: string[] }>();
for (const { slug, fields } of integrationKinds)
  for (const [name, field] of Object.entries(fields))
    settings.set(name, {
      field: settings.get(name)?.field ?? field,
      slugs: [...(settings.get(name)?.slugs ?? []), slug],
    });

const settingInputs = Object.fromEntries(
  [...settings].map(([name, { field, slugs }]) => [
    name,
    schemaOf(field)
      .optional()
      .describe(`${field.about}; of ${slugs.map((slug) => `\`${slug}\``).join(', ')}`),
  ]),
) as Record<string, z.ZodOptional<z.ZodType<string | boolean | number>>>;

const maintains = onProject({ level: Access.Maintainer, ability: 'admin_integrations' });
const named = { ...projectRef, slug: z.string().describe('Kind of the integration, as `slack`') };

export const listIntegrations = operation({
  name: 'integrations.project-integrations.list',
  summary: 'Integrations that are on in a project',
  description: 'Not in pages.',
  http: [get('/projects/:id/integrations'), get('/projects/:id/services', { deprecated: true })],
  access: maintains,
  input: z.object(projectRef),
  output: z.array(Integration),
});

export const getIntegration = operation({
  name: 'integrations.project-integrations.get',
  summary: 'How an integration is set',
  description: 'Secrets are not shown. A kind that the project has not is shown as it would begin, without an id.',
  refusals: ['integration.not_found'],
  http: [get('/projects/:id/integrations/:slug'), get('/projects/:id/services/:slug', { deprecated: true })],
  access: maintains,
  input: z.object(named),
  output: IntegrationSettings,
});

export const setIntegration = operation({
  name: 'integrations.project-integrations.set',
  summary: 'Connect a project with another system, or change how',
  description:
    'Which settings there are, and which have to be given, says the slug; those of others are ignored. Settings that are not given stay; a secret one does not stay where an address is changed. The integration is on afterwards.',
  refusals: ['integration.not_found', 'integration.setting_refused'],
  http: [put('/projects/:id/integrations/:slug'), put('/projects/:id/services/:slug', { deprecated: true })],
  access: maintains,
  input: z
    .object({
      ...named,
      ...each((name) => z.boolean().optional().describe(wordsOf(name))),
      active: z.boolean().default(true).describe('Whether it is on afterwards'),
      ...settingInputs,
    })
    .superRefine((input: Record<string, unknown>, context) => {
      const fields = Object.entries(integrationKind(String(input.slug))?.fields ?? {});
      const lacking = fields.filter(([name, { isRequired }]) => isRequired && !input[name]);
      if (lacking.length === 0) return;
      const words = lacking.map(([name]) => `${name} is ${input[name] === undefined ? 'missing' : 'empty'}`);
      context.addIssue({ code: 'custom', message: words.join(', ') });
    }),
  output: IntegrationSettings,
});

export const deleteIntegration = operation({
  name: 'integrations.project-integrations.delete',
  summary: 'Switch an integration off and forget its settings',
  refusals: ['integration.not_found'],
  http: [del('/projects/:id/integrations/:slug'), del('/projects/:id/services/:slug', { deprecated: true })],
  access: maintains,
  input: z.object(named),
  output: nothing(),
});

/** An issue of another tracker. See docs/api/integrations.md#11. */
export const ExternalIssue = z.object({ id: z.string(), title: z.string(), web_url: z.string() });

/** Issues of an external tracker that texts close, if the project uses one. At most 100. */
export const findClosedExternalIssues = operation({
  name: 'integrations.external-issues.find-closed',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ texts: z.array(z.string()).max(1000) }),
  output: z.array(ExternalIssue),
});

function wordsOf(name: IntegrationSwitch): string {
  if (name === 'comment_on_event_enabled') return 'Whether it comments on issues that commits refer to';
  const event = name
    .slice(0, -'_events'.length)
    .replaceAll('_', ' ')
    .replace(/^push$/, 'pushes')
    .replace(/^tag push$/, 'pushes of tags');
  return `Whether it receives ${event.replace(/(note|pipeline|page|job|commit)$/, '$1s')}`;
}
