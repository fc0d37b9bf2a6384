import { z } from 'zod';
import { id, time } from '../operation';

/** The purposes of environments. See docs/api/deployments.md#1. */
export const environmentTiers = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type EnvironmentTier = (typeof environmentTiers)[number];

export const environmentName = z
  .string()
  .min(1)
  .max(255)
  .regex(
    /^[a-zA-Z0-9_\-${}. ]([a-zA-Z0-9_\-/${}. ]*[a-zA-Z0-9_\-${}. ])?$/,
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
  );

/** See docs/api/deployments.md#3. */
export const environmentStates = ['available', 'stopping', 'stopped'] as const;

/** An environment in lists. See docs/api/deployments.md#1. */
export const EnvironmentFacts = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  external_url: z.string().nullable(),
  state: z.enum(environmentStates),
  tier: z.enum(environmentTiers),
  created_at: time,
  updated_at: time,
  auto_stop_at: time.nullable(),
  auto_stop_setting: z.string(),
  kubernetes_namespace: z.null(),
  flux_resource_path: z.null(),
  cluster_agent: z.null(),
});
