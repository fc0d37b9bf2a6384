import { z } from 'zod';
import { errors } from '../operation';

/** See docs/api/repository.md#8. Dates keep the original UTC offset. */
export const Commit = z.object({
  id: z.string(),
  short_id: z.string(),
  created_at: z.string(),
  parent_ids: z.array(z.string()),
  title: z.string(),
  message: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  authored_date: z.string(),
  committer_name: z.string(),
  committer_email: z.string(),
  committed_date: z.string(),
  web_url: z.string(),
});

export const CommitStats = z.object({ additions: z.int(), deletions: z.int(), total: z.int() });

export const CommitDetail = Commit.extend({
  stats: CommitStats.optional(),
  status: z.string().nullable(),
  /** The newest one, if the caller may see it. */
  last_pipeline: z
    .object({
      id: z.int(),
      iid: z.int(),
      project_id: z.int(),
      sha: z.string(),
      ref: z.string(),
      status: z.string(),
      source: z.string(),
      created_at: z.string(),
      updated_at: z.string(),
      web_url: z.string(),
    })
    .nullable(),
  project_id: z.int(),
});

export const Diff = z.object({
  old_path: z.string(),
  new_path: z.string(),
  a_mode: z.string().nullable(),
  b_mode: z.string(),
  diff: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
});

export const contentErrors = errors('repository_content', {
  treeNotFound: { status: 404, message: '404 Tree Not Found', means: 'No such ref, or the repository is empty.' },
  blobNotFound: { status: 404, message: '404 Blob Not Found', means: 'No blob of that id.' },
  fileNotFound: { status: 404, message: '404 File Not Found', means: 'No such file at that ref.' },
  commitNotFound: { status: 404, message: '404 Commit Not Found', means: 'No such commit.' },
  signatureNotFound: {
    status: 404,
    message: '404 Signature Not Found',
    means: 'The commit has none that is looked at.',
  },
  refNotFound: { status: 404, message: '404 Ref Not Found', means: 'One side of a comparison is unknown.' },
  notOfSameForks: {
    status: 400,
    message: '400 Bad request - Target project id is not a fork of the project',
    means: 'A comparison with a project that is neither a fork of this one, nor its source, nor forked from the same.',
  },
  repositoryEmpty: { status: 404, message: '404 Not Found', means: 'There is no commit yet.' },
  readOnly: { status: 403, message: '403 Forbidden - The repository is read-only', means: 'Archived, or being moved.' },
});
