import { errors } from '../operation';

/**
 * Every refusal and failure of git, in one table: the status and text for the caller, and its meaning. `message` may
 * contain `%s`, filled with the caller's own value. Details for the log are separate and never returned.
 */
export const gitErrors = {
  repository_not_found: { status: 404, message: '404 Project Not Found', means: 'No repository at that place.' },
  repository_exists: { status: 409, message: '409 Conflict', means: 'A repository exists already.' },
  object_id_unsupported: {
    status: 400,
    message: '64-digit object ids are not supported: this repository uses SHA-1',
    means: 'A SHA-256 object id.',
  },
  object_unreadable: {
    status: 500,
    message: '500 Internal Server Error',
    means: 'git could not read an object: the repository is damaged.',
  },
  object_too_large: {
    status: 413,
    message: '413 Request Entity Too Large',
    means: 'An object is over the limit of the call.',
  },
  refname_invalid: {
    status: 400,
    message: 'The branch refname is invalid',
    means: 'git check-ref-format would refuse the name.',
  },
  tag_name_invalid: { status: 400, message: 'Tag name invalid', means: 'git check-ref-format would refuse the name.' },
  revision_unknown: {
    status: 400,
    message: 'Invalid reference name: %s',
    means: 'A write starts from a revision that does not exist.',
  },
  revision_not_found: { status: 404, message: '404 Commit Not Found', means: 'A read names an unknown revision.' },
  refs_too_few: { status: 400, message: 'Provide at least 2 refs', means: 'A merge base of fewer than two refs.' },
  ref_not_found: { status: 400, message: 'Could not find ref: %s', means: 'One ref of a merge base is unknown.' },
  refs_not_found: {
    status: 400,
    message: 'Could not find refs: %s',
    means: 'Several refs of a merge base are unknown.',
  },
  branch_exists: { status: 400, message: 'Branch already exists', means: 'Create of a branch that exists.' },
  branch_not_found: { status: 404, message: '404 Branch Not Found', means: 'No such branch.' },
  default_branch_kept: { status: 405, message: 'Cannot remove HEAD branch', means: 'Delete of the default branch.' },
  tag_exists: { status: 400, message: 'Tag %s already exists', means: 'Create of a tag that exists.' },
  tag_not_found: { status: 404, message: '404 Tag Not Found', means: 'No such tag.' },
  ref_conflict: {
    status: 400,
    message: 'A branch or tag with a conflicting name exists: %s',
    means: '`a` and `a/b` cannot both be refs.',
  },
  ref_moved: {
    status: 409,
    message: 'The branch has changed meanwhile. Please try again',
    means: 'Compare-and-swap of a ref failed.',
  },
  path_invalid: {
    status: 400,
    message: 'You must provide a valid file path: %s',
    means: 'Empty parts, `..`, `.git`, NUL, absolute or too long.',
  },
  file_exists: { status: 400, message: 'A file with this name already exists', means: 'create or move onto a file.' },
  directory_exists: {
    status: 400,
    message: 'A directory with this name already exists',
    means: 'create or move onto a folder.',
  },
  file_in_the_way: {
    status: 400,
    message: 'A file with this name already exists: %s',
    means: 'A parent folder of the path is a file.',
  },
  file_missing: {
    status: 400,
    message: "A file with this name doesn't exist",
    means: 'update, delete, move or chmod of an absent file.',
  },
  submodule_missing: { status: 400, message: 'Invalid submodule path', means: 'There is no submodule at the path.' },
  submodule_unchanged: {
    status: 400,
    message: 'The submodule is already at %s',
    means: 'Nothing would change.',
  },
  file_changed: {
    status: 400,
    message: 'You are attempting to update a file that has changed since you started editing it.',
    means: 'last_commit_id is not the last commit of the file.',
  },
  content_missing: { status: 400, message: 'content is missing', means: 'create or update without content.' },
  content_invalid: { status: 400, message: 'content is invalid', means: 'Not Base64 although announced as such.' },
  author_invalid: {
    status: 400,
    message: 'author_name or author_email is invalid',
    means: 'Control characters or angle brackets in a name.',
  },
  message_missing: { status: 400, message: 'commit_message is empty', means: 'A commit without a message.' },
  actions_missing: { status: 400, message: 'actions is empty', means: 'A commit without actions.' },
  merge_conflict: {
    status: 400,
    message: 'Sorry, we cannot apply this commit automatically: it conflicts',
    means: 'Merge, cherry-pick or revert with conflicts.',
  },
  not_fast_forward: {
    status: 406,
    message: 'The branch cannot be fast-forwarded',
    means: 'The branch has commits that the other lacks.',
  },
  nothing_to_apply: {
    status: 400,
    message: 'Sorry, the change is already in this branch',
    means: 'Cherry-pick or revert that changes nothing.',
  },
  git_too_old: { status: 501, message: '501 Not Implemented', means: 'The git on the machine lacks the feature.' },
  format_unsupported: { status: 404, message: '404 File Not Found', means: 'An unknown archive suffix.' },
  path_not_found: { status: 404, message: '404 File Not Found', means: 'The path is not in the commit.' },
  merge_base_missing: { status: 404, message: '404 Merge Base Not Found', means: 'Unrelated histories.' },
  page_too_large: { status: 413, message: '413 Request Entity Too Large', means: 'A wiki page over the limit.' },
  url_refused: { status: 400, message: 'Import url is not allowed', means: 'The URL or its scheme is refused.' },
  bundle_refused: {
    status: 422,
    message: 'The bundle is refused: %s',
    means: 'git could not read the bundle of an imported project, or found broken objects in it.',
  },
  import_failed: { status: 422, message: 'Import failed: %s', means: 'git could not fetch from the URL.' },
  import_too_large: {
    status: 422,
    message: 'Import failed: the repository is too large',
    means: 'Over the size limit.',
  },
  import_timed_out: { status: 422, message: 'Import failed: it took too long', means: 'Over the time limit.' },
  replica_failed: { status: 422, message: '%s', means: 'git could not copy a repository of the primary.' },
  replica_source_missing: {
    status: 422,
    message: 'the primary has no such repository, or does not show it to these credentials',
    means: 'The primary answers 404 to git.',
  },
  mirror_failed: { status: 422, message: '%s', means: 'git could not push to a mirror.' },
  request_malformed: { status: 400, message: '400 Bad Request', means: 'Not the git protocol.' },
  request_too_large: {
    status: 413,
    message: '413 Request Entity Too Large',
    means: 'The request body exceeds its limit, possibly after decompression.',
  },
  disk_full: {
    status: 507,
    message: '507 Insufficient Storage',
    means: 'The disk of the storage is full; nothing was changed.',
  },
  busy: { status: 503, message: '503 Service Unavailable', means: 'The queue for git processes is full.' },
  timed_out: { status: 504, message: '504 Gateway Timeout', means: 'git took longer than allowed.' },
  cancelled: { status: 499, message: '499 Client Closed Request', means: 'The caller disconnected.' },
  git_failed: {
    status: 500,
    message: '500 Internal Server Error',
    means: 'git failed unexpectedly; see the detail.',
  },
} as const satisfies Record<string, { status: number; message: string; means: string }>;

errors('git', gitErrors);
