import { z } from 'zod';
import { internalForCaller, internalOnProject, operation } from '../operation';

const path = z.string().max(4096);
const line = z.int().positive();
const lines = { path, first: line, last: line.describe('Included') };
/** What one request reads or replaces. */
export const mostLineRanges = 100;

/**
 * Lines of files as they are, with their ends, for the project of the context; what is behind the last one is left out. Null
 * without such a file, without a single one of the lines, and of what is no text, over a megabyte, or lines over `max_bytes`.
 */
export const readLines = operation({
  name: 'repository.lines.read',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({
    ranges: z.array(z.object({ revision: z.string().max(1024), ...lines })).max(mostLineRanges),
    max_bytes: z.int().positive(),
  }),
  output: z.array(z.string().nullable()),
});

/**
 * Puts other lines in place of some, in one commit, which is pushed as any other: in the caller's name, within the protection
 * of branches. Null, and nothing done, where the branch is gone or a file does not say `before` there. Of those in one file
 * none may reach into another.
 */
export const replaceLines = operation({
  name: 'repository.lines.replace',
  access: internalForCaller(),
  routedByStorage: true,
  input: z.object({
    branch: z.string().min(1),
    message: z.string().min(1),
    replacements: z
      .array(z.object({ ...lines, before: z.string(), after: z.string() }))
      .min(1)
      .max(mostLineRanges),
  }),
  output: z.object({ sha: z.string() }).nullable(),
});
