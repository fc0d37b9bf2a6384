import type { ArchivedUser } from '../../archive/archived-user';

/** Fields of issues, merge requests and notes. */
interface Said {
  author_id: number;
  created_at: string;
  body?: string;
  description?: string | null;
  system?: boolean;
}

const isSaid = (row: unknown): row is Said => typeof row === 'object' && row !== null && 'author_id' in row;

/**
 * The record with a line about its author if that user does not exist here and the importer becomes the author.
 * @param strangerOf undefined for existing users; null for users who were already deleted in the exporting instance
 */
export function withAuthorLine(row: unknown, strangerOf: (id: number) => ArchivedUser | null | undefined): unknown {
  if (!isSaid(row) || row.system) return row;
  const stranger = strangerOf(row.author_id);
  if (stranger === undefined) return row;
  const name = stranger ? (stranger.name ?? stranger.username) : 'an unknown user';
  // Emphasis must be one line, whatever the author's name contains.
  const line = `*By ${name.replace(/[\s*_`[\]<>@\\]+/g, ' ').trim()} on ${row.created_at} (imported)*`;
  const field = row.body === undefined ? 'description' : 'body';
  const text = row[field];
  return { ...row, [field]: text ? `${text}\n\n${line}` : line };
}
