import { z } from 'zod';
import { event, id } from '../operation';

/** A ref moved, by a push or through the interface. `before` or `after` is all zeros where it came or went. */
export const repositoryPushed = event({
  name: 'repository.push',
  data: z.object({
    project_id: id,
    user_id: id.nullable().describe('Null for deploy keys and imports'),
    ref: z.string().describe('Full name, as refs/heads/main'),
    before: z.string(),
    after: z.string(),
    /** State of the repository after it. */
    default_branch: z.string().nullable(),
    is_empty: z.boolean(),
    /** README of the default branch; null when there is none. */
    readme_path: z.string().nullable(),
  }),
});

/** An import from a URL has ended; `error` is null when it succeeded. */
export const importFinished = event({
  name: 'repository.import.finished',
  data: z.object({
    project_id: id,
    error: z.string().nullable(),
    default_branch: z.string().nullable(),
    is_empty: z.boolean(),
    readme_path: z.string().nullable(),
  }),
});
