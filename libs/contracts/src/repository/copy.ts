import { z } from 'zod';
import { bytes, id, internalOnProject, operation } from '../operation';

/*
 * How repositories reach another storage, and so another process: objects as a bundle, refs as a list. They go to the
 * storage in the context; `project_id` says whose repository.
 */
const repository = { project_id: id, kind: z.enum(['code', 'wiki']).default('code') };

/**
 * The objects behind all refs of a repository without those behind `has`, as a git bundle. An empty body says that there
 * is nothing to send.
 * @throws git.repository_not_found
 */
export const getBundle = operation({
  name: 'repository.copies.bundle',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ ...repository, has: z.array(z.string().length(40)).default([]) }),
  output: bytes('application/x-git-bundle'),
  routedByStorage: true,
});

/** All refs of a repository at one moment; `exists` is false where there is none. */
export const getRefs = operation({
  name: 'repository.copies.refs',
  access: internalOnProject(),
  isRead: true,
  input: z.object(repository),
  output: z.object({
    exists: z.boolean(),
    head: z.string().nullable(),
    refs: z.array(z.object({ name: z.string(), id: z.string() })),
  }),
  routedByStorage: true,
  timeoutSeconds: 120,
});
