import {
  actorOf,
  isGone,
  isNewRef,
  type PayloadCommit,
  type PushPayload,
  pathOfRef,
  refName,
} from '../payload/payload';

/** A changed file of a comparison. */
export interface FileChange {
  old_path: string;
  new_path: string;
  new_file: boolean;
  renamed_file: boolean;
  deleted_file: boolean;
  diff: string;
}

export interface Words {
  subject: string;
  text: string;
}

/** Limit of shown changes: mail servers refuse large mails. */
const shownDiffCharacters = 200_000;
const line = '=====================================';

/** @param changes of the push; undefined for mails without changes */
export function pushMail(payload: PushPayload, changes: readonly FileChange[] | undefined): Words {
  const place = `${payload.project.namespace} / ${payload.project.name}`;
  const what = happened(payload);
  return {
    subject: `[${payload.project.path_with_namespace}][${refName(payload)}] ${titleOf(payload, what)}`,
    text: [
      `${actorOf(payload)} ${what.charAt(0).toLowerCase()}${what.slice(1)} at ${place}`,
      ...(payload.commits.length > 0 ? ['Commits:', payload.commits.map(commitText).join('\n- - - - -\n')] : []),
      ...(changes && changes.length > 0 ? [fileList(changes), 'Changes:', diffs(changes)] : []),
      `View it: ${addressOf(payload)}`,
    ].join('\n\n'),
  };
}

function happened(payload: PushPayload): string {
  const kind = payload.object_kind === 'push' ? 'branch' : 'tag';
  if (isGone(payload)) return `Deleted ${kind} ${refName(payload)}`;
  return `${isNewRef(payload) ? 'Pushed new' : 'Pushed to'} ${kind} ${refName(payload)}`;
}

function titleOf(payload: PushPayload, what: string): string {
  const last = payload.commits.at(-1);
  if (isGone(payload) || isNewRef(payload) || !last) return what;
  const { total_commits_count: count } = payload;
  return count === 1 ? last.title : `${count} commits: ${last.title}`;
}

const commitText = ({ id, author, timestamp, message, url }: PayloadCommit): string =>
  [`${id.slice(0, 8)} by ${author.name} at ${timestamp}`, message.trimEnd(), url].join('\n');

function fileList(changes: readonly FileChange[]): string {
  const count = changes.length === 1 ? '1 changed file' : `${changes.length} changed files`;
  return [`${count}:`, ...changes.map((change) => `${signOf(change)} ${nameOf(change)}`)].join('\n');
}

const signOf = ({ new_file, deleted_file }: FileChange): string => (new_file ? '+' : deleted_file ? '-' : ' ');
const nameOf = ({ old_path, new_path, renamed_file }: FileChange): string =>
  renamed_file ? `${old_path} → ${new_path}` : new_path;

function diffs(changes: readonly FileChange[]): string {
  const whole = changes.map((change) => [line, nameOf(change), line, change.diff].join('\n')).join('\n');
  return whole.length > shownDiffCharacters
    ? `${whole.slice(0, shownDiffCharacters)}\n\nThe diff is too large to be shown whole.`
    : whole;
}

function addressOf(payload: PushPayload): string {
  const { web_url } = payload.project;
  if (payload.object_kind === 'tag_push') return `${web_url}/-/tags`;
  if (isGone(payload)) return web_url;
  return isNewRef(payload)
    ? `${web_url}/-/tree/${pathOfRef(refName(payload))}`
    : `${web_url}/-/compare/${payload.before}...${payload.after}`;
}
