import { isGone, type Payload, type PayloadCommit, type PushPayload, refName } from '../payload/payload';
import { basicAuth, below, type OutgoingRequest, postJson, putJson, type Settings, setting } from '../request/outgoing';
import { closes } from '../words/closes';
import { isHostLabel } from './chat-rooms';

/** Limit of references to a tracker in one push; further ones are ignored. */
const mostReferences = 50;

const isPush = (payload: Payload): payload is PushPayload => payload.object_kind === 'push' && !isGone(payload);
interface Reference {
  key: string;
  isClosed: boolean;
}

/** References in a message, each once; the key is the first matching group of the pattern. */
export function referencesIn(text: string, pattern: RegExp): Reference[] {
  const found = new Map<string, boolean>();
  for (const match of text.slice(0, 20_000).matchAll(pattern)) {
    const key = match.slice(1).find((group) => group !== undefined) ?? match[0];
    if (found.size < mostReferences) found.set(key, (found.get(key) ?? false) || closes(text, match.index));
  }
  return [...found].map(([key, isClosed]) => ({ key, isClosed }));
}

const toldBy = (payload: PushPayload, { url, message }: PayloadCommit): string =>
  `${payload.user_name ?? 'Somebody'} pushed to branch ${refName(payload)} of ${payload.project.path_with_namespace} ( ${url} ): ${message.slice(0, 5000)}`;

const asanaTask = /#(\d{1,20})\b|https:\/\/app\.asana\.com\/\d{1,20}\/\w{1,40}\/(\d{1,20})/g;

/** A comment on each task that a commit names, by `#1234` or its URL; `fixes` completes it. */
export function asanaRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  if (!isPush(payload)) return [];
  const headers = { authorization: `Bearer ${setting(settings, 'api_key')}` };
  const task = (key: string) => ['api', '1.0', 'tasks', key];
  return payload.commits
    .flatMap((commit) => referencesIn(commit.message, asanaTask).map((reference) => ({ commit, ...reference })))
    .slice(0, mostReferences)
    .flatMap(({ commit, key, isClosed }) => [
      postJson(
        below('https://app.asana.com', [...task(key), 'stories']),
        { data: { text: toldBy(payload, commit) } },
        headers,
      ),
      ...(isClosed ? [putJson(below('https://app.asana.com', task(key)), { data: { completed: true } }, headers)] : []),
    ]);
}

/** Tracker itself finds the stories in the messages. */
export function pivotalTrackerRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  if (!isPush(payload)) return [];
  const headers = { 'x-trackertoken': setting(settings, 'token') };
  return payload.commits.map(({ id, author, url, message }) =>
    postJson(
      'https://www.pivotaltracker.com/services/v5/source_commits',
      { source_commit: { commit_id: id, author: author.name, url, message } },
      headers,
    ),
  );
}

export function assemblaRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const subdomain = setting(settings, 'subdomain');
  if (!isHostLabel(subdomain)) return [];
  const query = { secret_key: setting(settings, 'token') };
  return [postJson(below('https://atlas.assembla.com', ['spaces', subdomain, 'github_tool'], query), { payload })];
}

export const jiraKey = /\b([A-Z][A-Z0-9_]{1,30}-\d{1,15})\b/g;

/**
 * Comments and links on issues that commits and merge requests name; on the default branch `Closes KEY-1` closes an
 * issue.
 */
export function jiraRequests(payload: Payload, settings: Settings, comments: boolean): OutgoingRequest[] {
  const base = setting(settings, 'api_url') || setting(settings, 'url');
  const headers = basicAuth(setting(settings, 'username'), setting(settings, 'password'));
  const issue = (key: string, ...rest: string[]) => below(base, ['rest', 'api', '2', 'issue', key, ...rest]);
  return namedIssues(payload)
    .slice(0, mostReferences)
    .flatMap(({ key, isClosed, comment, title, url }) => [
      ...(comments ? [postJson(issue(key, 'comment'), { body: comment }, headers)] : []),
      postJson(
        issue(key, 'remotelink'),
        { globalId: url, relationship: 'mentioned on', object: { url, title } },
        headers,
      ),
      ...(isClosed
        ? transitionsIn(settings).map((id) => postJson(issue(key, 'transitions'), { transition: { id } }, headers))
        : []),
    ]);
}

const transitionsIn = (settings: Settings): string[] =>
  setting(settings, 'jira_issue_transition_id')
    .split(/[,;]/)
    .map((id) => id.trim())
    .filter((id) => /^\d{1,15}$/.test(id))
    .slice(0, 10);

interface NamedIssue extends Reference {
  comment: string;
  title: string;
  url: string;
}

function namedIssues(payload: Payload): NamedIssue[] {
  if (payload.object_kind === 'merge_request') return namedByMergeRequest(payload);
  if (!isPush(payload)) return [];
  const isDefault = refName(payload) === payload.project.default_branch;
  const who = payload.user_name ?? 'Somebody';
  return payload.commits.flatMap((commit) =>
    referencesIn(commit.message, jiraKey).map(({ key, isClosed }) => ({
      key,
      isClosed: isClosed && isDefault,
      comment: mention(who, `a commit of ${payload.project.path_with_namespace}`, commit.url, commit.title),
      title: `Commit - ${commit.title}`.slice(0, 250),
      url: commit.url,
    })),
  );
}

function namedByMergeRequest({
  user,
  project,
  object_attributes: it,
}: Payload & { object_kind: 'merge_request' }): NamedIssue[] {
  if (it.action !== 'open') return [];
  return referencesIn(`${it.title}\n${it.description ?? ''}`, jiraKey).map(({ key }) => ({
    key,
    isClosed: false,
    comment: mention(user?.name ?? 'Somebody', `a merge request of ${project.path_with_namespace}`, it.url, it.title),
    title: `Merge request - ${it.title}`.slice(0, 250),
    url: it.url,
  }));
}

/** In the tracker's markup, which titles rarely contain. */
const mention = (who: string, where: string, url: string, title: string): string =>
  `${plain(who)} mentioned this issue in [${where}|${url}]:\n{quote}${plain(title).slice(0, 1000)}{quote}`;
const plain = (text: string): string => text.replace(/[{}[\]|]/g, '\\$&');
