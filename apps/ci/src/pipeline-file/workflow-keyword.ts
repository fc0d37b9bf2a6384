import { z } from 'zod';
import type { AutoCancel } from './job-spec';
import { rulesKeyword } from './rules-keyword';
import { variables } from './variables-keyword';

/* The keywords of the pipeline as a whole: `workflow`. */

const autoCancel = z
  .object({
    on_new_commit: z.enum(['conservative', 'interruptible', 'none']).optional(),
    on_job_failure: z.enum(['all', 'none']).optional(),
  })
  .strict()
  .transform(
    ({ on_new_commit: onNewCommit, on_job_failure: onJobFailure }): AutoCancel => ({ onNewCommit, onJobFailure }),
  );

export const workflow = z
  .object({
    name: z.string().min(1).max(255).optional(),
    auto_cancel: autoCancel.default({}),
    rules: rulesKeyword({
      when: z.enum(['always', 'never']).optional(),
      variables: variables.optional(),
      auto_cancel: autoCancel.optional(),
    }).optional(),
  })
  .strict();
