import { z } from 'zod';
import { administrator, del, event, get, internal, nothing, operation, post } from '../operation';

const gateValue = z.union([z.boolean(), z.int(), z.array(z.string())]);

/** A switch of the instance. See docs/api/instance.md#3. */
export const FeatureFlag = z.object({
  name: z.string(),
  state: z.enum(['on', 'off', 'conditional']),
  gates: z.array(z.object({ key: z.string(), value: gateValue })),
});
export type FeatureFlag = z.infer<typeof FeatureFlag>;

/** Flags that our code reads, with their defaults. */
export const knownFlags = {
  /** The vulnerability export interface is alpha. See docs/api/instance.md#3. */
  first_class_vulnerabilities: false,
} as const satisfies Record<string, boolean>;
export type KnownFlag = keyof typeof knownFlags;

export const listFeatures = operation({
  name: 'projects.features.list',
  summary: 'Feature flags that were set',
  http: get('/features'),
  access: administrator(),
  input: z.object({}),
  output: z.array(FeatureFlag),
});

export const listFeatureDefinitions = operation({
  name: 'projects.features.list-definitions',
  summary: 'Feature flags that the server knows of',
  http: get('/features/definitions'),
  access: administrator(),
  input: z.object({}),
  output: z.array(z.object({ name: z.string(), type: z.string(), default_enabled: z.boolean() })),
});

export const setFeature = operation({
  name: 'projects.features.set',
  summary: 'Switch a feature flag on or off',
  description: 'For all, for a percentage of requests or actors, or for given users, groups and projects.',
  http: post('/features/:name'),
  access: administrator(),
  input: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,100}$/),
    value: z.union([z.boolean(), z.int(), z.string()]).describe('true, false, or a percentage from 0 to 100'),
    key: z
      .enum(['percentage_of_time', 'percentage_of_actors'])
      .default('percentage_of_time')
      .describe('Unit of the percentage'),
    feature_group: z.string().optional(),
    user: z.string().optional().describe('Usernames, joined by commas'),
    group: z.string().optional().describe('Paths, joined by commas'),
    project: z.string().optional().describe('Full paths, joined by commas'),
    force: z.boolean().default(false),
  }),
  output: FeatureFlag,
});

export const deleteFeature = operation({
  name: 'projects.features.delete',
  summary: 'Remove a feature flag',
  http: del('/features/:name'),
  access: administrator(),
  input: z.object({ name: z.string() }),
  output: nothing(),
});

/** Whether a flag is on for an actor. Read it again after `projects.features.changed`. */
export const isFeatureOn = operation({
  name: 'projects.features.is-on',
  access: internal(),
  isRead: true,
  input: z.object({ name: z.string(), username: z.string().optional(), full_path: z.string().optional() }),
  output: z.object({ is_on: z.boolean() }),
});

export const featuresChanged = event({ name: 'projects.features.changed', data: z.object({ name: z.string() }) });
