import type {
  IssuePayload,
  MergeRequestPayload,
  NotePayload,
  PipelinePayload,
  PushPayload,
  WikiPayload,
} from '../src/integrations/payload/payload';

/* Sample payloads. */

export const project = {
  id: 7,
  name: 'Engine',
  namespace: 'Ada',
  path_with_namespace: 'ada/engine',
  web_url: 'https://hall.example.com/ada/engine',
  default_branch: 'main',
};

export const user = { name: 'Ada Lovelace', username: 'ada', avatar_url: 'https://hall.example.com/ada.png' };

const none = '0'.repeat(40);

export const commit = (message: string, id = 'c'.repeat(40)) => ({
  id,
  title: message.split('\n', 1).join(''),
  message,
  timestamp: '2020-10-15T08:12:01+00:00',
  url: `${project.web_url}/-/commit/${id}`,
  author: { name: 'Ada Lovelace', email: 'ada@example.com' },
});

export const push = (over: Partial<PushPayload> = {}): PushPayload => {
  const commits = over.commits ?? [commit('Turn the wheel')];
  return {
    object_kind: 'push',
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after: 'c'.repeat(40),
    checkout_sha: 'c'.repeat(40),
    user_id: 1,
    user_name: 'Ada Lovelace',
    user_username: 'ada',
    user_email: 'ada@example.com',
    user_avatar: user.avatar_url,
    project,
    commits,
    total_commits_count: commits.length,
    ...over,
  };
};

export const newBranch = push({ ref: 'refs/heads/fix/it', before: none });
export const goneBranch = push({ ref: 'refs/heads/old', after: none, checkout_sha: null, commits: [] });
export const newTag = push({ object_kind: 'tag_push', ref: 'refs/tags/v1', before: none, commits: [] });

export const issue = (over: Partial<IssuePayload['object_attributes']> = {}): IssuePayload => ({
  object_kind: 'issue',
  user,
  project,
  object_attributes: {
    iid: 12,
    title: 'It <squeaks> | *loudly*',
    description: 'Since noon.\nSee AB-1.',
    url: `${project.web_url}/-/issues/12`,
    action: 'open',
    confidential: false,
    ...over,
  },
});

export const mergeRequest = (over: Partial<MergeRequestPayload['object_attributes']> = {}): MergeRequestPayload => ({
  object_kind: 'merge_request',
  user,
  project,
  object_attributes: {
    iid: 3,
    title: 'Oil it',
    description: 'Closes AB-12',
    url: `${project.web_url}/-/merge_requests/3`,
    action: 'open',
    state: 'opened',
    source_branch: 'oil',
    target_branch: 'main',
    ...over,
  },
});

export const note: NotePayload = {
  object_kind: 'note',
  event_type: 'note',
  user,
  project,
  object_attributes: {
    note: 'Looks good',
    noteable_type: 'Issue',
    noteable_id: 5,
    noteable_iid: 12,
    commit_id: null,
    url: `${project.web_url}/-/issues/12#note_1`,
  },
};

export const wikiPage: WikiPayload = {
  object_kind: 'wiki_page',
  user,
  project,
  object_attributes: {
    title: 'Home',
    message: 'First words',
    url: `${project.web_url}/-/wikis/home`,
    action: 'create',
  },
};

export const pipeline = (over: Partial<PipelinePayload['object_attributes']> = {}): PipelinePayload => ({
  object_kind: 'pipeline',
  object_attributes: { id: 21, ref: 'main', tag: false, sha: 'c'.repeat(40), status: 'failed', duration: 130, ...over },
  user,
  project,
  commit: commit('Turn the wheel'),
});

/** The comparison of a push by the repository service. */
export const comparison = {
  ...{ commit: null, commits: [], compare_timeout: false, compare_same_ref: false, web_url: project.web_url },
  diffs: [
    {
      ...{ old_path: 'wheel.txt', new_path: 'wheel.txt', a_mode: '100644', b_mode: '100644' },
      ...{ new_file: false, renamed_file: false, deleted_file: false, diff: '@@ -1 +1 @@\n-slow\n+fast\n' },
    },
  ],
};
