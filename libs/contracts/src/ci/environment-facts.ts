import { z } from 'zod';

/** What environments are for. See docs/api/deployments.md#1. */
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
