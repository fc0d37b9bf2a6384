import type { IntegrationEvent } from '@moothall/contracts';

/* The parts of hook payloads that integrations read. */

export interface PayloadProject {
  id: number;
  name: string;
  namespace: string;
  path_with_namespace: string;
  web_url: string;
  default_branch: string | null;
}

export interface Person {
  id?: number;
  name: string;
  username: string;
  avatar_url: string | null;
  email?: string | undefined;
}

export interface PayloadCommit {
  id: string;
  title: string;
  message: string;
  timestamp: string;
  url: string;
  author: { name: string; email: string };
}

export interface PushPayload {
  object_kind: 'push' | 'tag_push';
  ref: string;
  before: string;
  after: string;
  checkout_sha: string | null;
  user_id: number | null;
  /** Null for deploy keys, mirrors and imports. */
  user_name: string | null;
  user_username: string | null;
  user_email: string | null;
  user_avatar: string | null;
  project: PayloadProject;
  commits: PayloadCommit[];
  total_commits_count: number;
}

interface WithUser {
  user: Person | null;
  project: PayloadProject;
}

interface Titled {
  iid: number;
  title: string;
  description: string | null;
  url: string;
  action: string;
}

export interface IssuePayload extends WithUser {
  object_kind: 'issue';
  object_attributes: Titled & { confidential: boolean };
}

export interface MergeRequestPayload extends WithUser {
  object_kind: 'merge_request';
  object_attributes: Titled & { state: string; source_branch: string; target_branch: string };
}

export interface NotePayload extends WithUser {
  object_kind: 'note';
  event_type: 'note' | 'confidential_note';
  object_attributes: {
    note: string;
    noteable_type: string;
    noteable_id: number;
    noteable_iid: number | null;
    commit_id: string | null;
    url: string;
  };
}

export interface WikiPayload extends WithUser {
  object_kind: 'wiki_page';
  object_attributes: { title: string; message: string; url: string; action: 'create' | 'update' | 'delete' };
}

export interface PipelinePayload {
  object_kind: 'pipeline';
  object_attributes: {
    id: number;
    ref: string;
    tag: boolean;
    sha: string;
    status: string;
    duration: number | null;
  };
  user: Person | null;
  project: PayloadProject;
  commit: { id: string; url: string } | null;
}

export interface JobPayload {
  object_kind: 'build';
  ref: string;
  tag: boolean;
  project: PayloadProject;
}

/** The payload of a hook of a project. */
export type Payload =
  | PushPayload
  | IssuePayload
  | MergeRequestPayload
  | NotePayload
  | WikiPayload
  | PipelinePayload
  | JobPayload;

/** The user of a payload, for messages. */
export const actorOf = (payload: Payload): string => {
  if ('user_name' in payload) return who(payload.user_name, payload.user_username);
  return 'user' in payload ? who(payload.user?.name, payload.user?.username) : who(null, null);
};

const who = (name: string | null | undefined, username: string | null | undefined): string =>
  name ? (username ? `${name} (${username})` : name) : 'Somebody';

/** The switch of integrations for a payload. */
export function eventOf(payload: Payload): IntegrationEvent {
  switch (payload.object_kind) {
    case 'issue':
      return payload.object_attributes.confidential ? 'confidential_issues' : 'issues';
    case 'note':
      return payload.event_type;
    case 'merge_request':
      return 'merge_requests';
    case 'build':
      return 'job';
    default:
      return payload.object_kind;
  }
}

/** The branch of a payload; undefined for tags and payloads without a branch. */
export function branchOf(payload: Payload): string | undefined {
  switch (payload.object_kind) {
    case 'push':
      return payload.ref.slice('refs/heads/'.length);
    case 'pipeline':
      return payload.object_attributes.tag ? undefined : payload.object_attributes.ref;
    default:
      return undefined;
  }
}

const isNone = (sha: string): boolean => /^0+$/.test(sha);

export const isNewRef = ({ before }: PushPayload): boolean => isNone(before);
export const isGone = ({ after }: PushPayload): boolean => isNone(after);
/** Without `refs/heads/` or `refs/tags/`. */
export const refName = ({ ref }: PushPayload): string => ref.replace(/^refs\/(heads|tags)\//, '');

/** The name of a branch or tag in the address of a page, where slashes stay. */
export const pathOfRef = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
