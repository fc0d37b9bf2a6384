import { z } from 'zod';
import { internalForCaller, internalOnProject, operation } from '../operation';

const path = z.string().max(4096);
const line = z.int().positive();
const lines = { path, first: line, last: line.describe('Included') };
/** Limit of ranges in one request. */
export const mostLineRanges = 100;

/**
 * Lines of files unchanged, with their line endings, for the project of the context; lines after the last one are
 * omitted. Null without such a file, without any of the lines, and for binary files, files over a megabyte, or lines
 * over `max_bytes`.
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
 * Replaces lines, in one commit, which is like any push: by the caller, with the protection of branches. Null,
 * without a change, if the branch does not exist or a file does not contain `before` there. Ranges of one file must
 * not overlap.
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
