import { onlyGiven } from '@moothall/contracts';
import { z } from 'zod';
import type { ImageSpec, ServiceSpec } from './job-spec';
import { listOfTexts } from './texts';
import { variables } from './variables-keyword';

/* The containers that a job runs in and beside: `image` and `services`. Runners that have no containers ignore them. */

const named = z.string().transform((name) => ({ name }));

const common = {
  name: z.string(),
  entrypoint: z.array(z.string()).optional(),
  pull_policy: listOfTexts.optional(),
};

export const image = z.union([
  named,
  z
    .looseObject(common)
    .transform(({ name, entrypoint, pull_policy }): ImageSpec => ({ name, ...onlyGiven({ entrypoint, pull_policy }) })),
]);

const service = z.union([
  named,
  z
    .looseObject({
      ...common,
      alias: z.string().optional(),
      command: listOfTexts.optional(),
      variables: variables.optional(),
    })
    .transform(
      ({ name, entrypoint, pull_policy, alias, command, variables }): ServiceSpec => ({
        name,
        ...onlyGiven({ entrypoint, pull_policy, alias, command }),
        ...(variables && { variables: Object.entries(variables).map(([key, value]) => ({ key, value })) }),
      }),
    ),
]);

export const services = z.array(service);
