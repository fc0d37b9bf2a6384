import { z } from 'zod';
import { id, timestamp } from '../../operation';
import { visibility } from '../../projects/settings';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { isSnippetPath, snippetFileLimit, snippetLimitBytes } from '../snippet/snippet';
import { archivedAwards, count, gitSha } from './archived-fields';

const files = z
  .array(
    z.object({
      path: writtenProse(titleLimit).refine(isSnippetPath, 'leads elsewhere'),
      content: writtenProse(snippetLimitBytes),
    }),
  )
  .min(1)
  .max(snippetFileLimit)
  .refine((all) => new Set(all.map(({ path }) => path)).size === all.length, 'has a path twice')
  .refine(
    (all) => all.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) <= snippetLimitBytes,
    'is too long',
  );

export const ExportedSnippet = z.object({
  /** Of the exporting instance; in an archive its number, from 1. */
  id,
  title: writtenProse(titleLimit),
  description: prose(descriptionLimit).nullable(),
  author_id: id,
  visibility,
  files,
  user_notes_count: count,
  created_at: timestamp,
  updated_at: timestamp,
  awards: archivedAwards,
});

/** A commit with comments. */
export const ExportedCommit = z.object({
  sha: gitSha,
  title: prose(descriptionLimit),
  user_notes_count: count,
  created_at: timestamp,
  updated_at: timestamp,
});
