import { z } from 'zod';
import { errors } from '../operation';

/** Source: specification 2.6, clarifications B.5 and C.9. Dates keep the person's own offset. */
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
  last_pipeline: z.null(),
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
  refNotFound: { status: 404, message: '404 Ref Not Found', means: 'One side of a comparison is unknown.' },
  repositoryEmpty: { status: 404, message: '404 Not Found', means: 'There is no commit yet.' },
  readOnly: { status: 403, message: '403 Forbidden - The repository is read-only', means: 'Archived, or being moved.' },
});
