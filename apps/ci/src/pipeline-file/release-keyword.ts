import { z } from 'zod';
import type { ReleaseSpec } from './job-spec';

/* The release of a job after its script has succeeded. Variables are allowed in all texts. */

const text = z.string().min(1).max(10_000);
const mostLinks = 200;

const link = z
  .object({
    name: text.max(255),
    url: text.max(2048),
    filepath: text.max(255).optional(),
    link_type: z.enum(['other', 'runbook', 'image', 'package']).optional(),
  })
  .strict();

export const release = z
  .object({
    tag_name: text.max(255),
    tag_message: text.optional(),
    name: text.max(255).optional(),
    description: z.string().min(1).max(100_000),
    ref: text.max(1024).optional(),
    milestones: z
      .union([text.max(255), z.array(text.max(255)).max(100)])
      .transform((value) => [value].flat())
      .optional(),
    released_at: text.max(255).optional(),
    assets: z
      .object({ links: z.array(link).max(mostLinks).default([]) })
      .strict()
      .optional(),
  })
  .strict()
  .transform(
    (given): ReleaseSpec => ({
      tagName: given.tag_name,
      tagMessage: given.tag_message ?? null,
      name: given.name ?? null,
      description: given.description,
      ref: given.ref ?? null,
      milestones: given.milestones ?? [],
      releasedAt: given.released_at ?? null,
      links: given.assets?.links.map((one) => JSON.stringify(one)) ?? [],
    }),
  );
