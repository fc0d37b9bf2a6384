import { z } from 'zod';

/* Id tokens of a job, and commands before its sources. See docs/api/pipeline-files.md#11. */

const mostTokens = 20;
const mostAudiences = 20;

/** Variables are allowed. */
const audience = z.string().min(1).max(2048);

export const idTokens = z
  .record(
    z.string().regex(/^\w{1,255}$/),
    z
      .object({ aud: z.union([audience, z.array(audience).min(1).max(mostAudiences)]) })
      .strict()
      .transform(({ aud }) => [aud].flat()),
  )
  .refine((tokens) => Object.keys(tokens).length <= mostTokens, `has too many tokens (maximum is ${mostTokens})`);
