import { z } from 'zod';

/* What a job shows to other services of itself, and what runs before its sources are there. See docs/api/pipeline-files.md#11. */

const mostTokens = 20;
const mostAudiences = 20;

/** Variables may stand in it. */
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
