import { environmentTiers } from '@moothall/contracts';
import { z } from 'zod';
import { secondsIn } from './duration';
import { type Environment, environmentActions } from './job-spec';
import { refused } from './refused-keyword';

/* Environments and resource groups of jobs. Variables are allowed in all texts. */

const environmentName = z.string().min(1).max(255);

const expiry = z
  .union([z.number(), z.string().max(255)])
  .transform(String)
  .refine(
    (value) => value === 'never' || value.includes('$') || secondsIn(value) !== undefined,
    'should be a duration',
  );

export const environment = z.union([
  environmentName.transform((name): Environment => ({ name })),
  z
    .object({
      name: environmentName,
      url: z.string().max(2000).optional(),
      action: z.enum(environmentActions).optional(),
      on_stop: z.string().max(255).optional(),
      auto_stop_in: expiry.optional(),
      deployment_tier: z.enum(environmentTiers).optional(),
      kubernetes: refused,
    })
    .strict()
    .transform(
      ({ name, url, action, on_stop: onStop, auto_stop_in: autoStopIn, deployment_tier: tier }): Environment => ({
        name,
        ...(url && { url }),
        ...(action && { action }),
        ...(onStop && { onStop }),
        ...(autoStopIn !== undefined && { autoStopIn }),
        ...(tier && { tier }),
      }),
    ),
]);

export const resourceGroup = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (key) => /^[a-zA-Z0-9_/$.{} -]+$/.test(key),
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces",
  );
