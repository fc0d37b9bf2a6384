import { z } from 'zod';
import { internal, operation } from '../operation';

/**
 * What a pipeline is made from: the commit of a branch or tag, and one file of it. Asked once per pipeline by the ci
 * service and answered by the repository service, for the project of the context. Null when there is no such ref.
 * `content` is null when the commit has no such file, or one over `max_bytes`, or one that is not UTF-8.
 */
export const ciSource = operation({
  name: 'repository.ci.source',
  access: internal(),
  routedByStorage: true,
  input: z.object({
    ref: z.string().describe('Name of a branch or tag; branches win'),
    path: z.string(),
    max_bytes: z
      .int()
      .positive()
      .default(1024 * 1024),
  }),
  output: z
    .object({
      ref_type: z.enum(['branch', 'tag']),
      commit: z.object({
        id: z.string(),
        message: z.string(),
        author_name: z.string(),
        author_email: z.string(),
        committed_date: z.string().describe("With the committer's offset"),
      }),
      before_sha: z.string().describe('First parent, all zeros for a root commit'),
      content: z.string().nullable(),
    })
    .nullable(),
});
