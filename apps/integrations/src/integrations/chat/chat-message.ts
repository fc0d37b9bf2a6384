import {
  actorOf,
  type IssuePayload,
  isGone,
  isNewRef,
  type MergeRequestPayload,
  type NotePayload,
  type Payload,
  type PayloadProject,
  type PipelinePayload,
  type PushPayload,
  pathOfRef,
  refName,
  type WikiPayload,
} from '../payload/payload';
import type { Part } from '../words/part';

/** A message for chat programs. */
export interface ChatMessage {
  author: { name: string; avatarUrl: string | null };
  project: { name: string; url: string };
  /** One line: user, action and target. */
  summary: Part[];
  /** Title of the details. */
  title?: { text: string; url: string } | undefined;
  /** Further lines. */
  details: Part[][];
  mood: 'neutral' | 'good' | 'bad';
}

type Words = Omit<ChatMessage, 'author' | 'project' | 'mood'> & { mood?: ChatMessage['mood'] };

/** Longer texts are cut; the link leads to the full text. */
const shownCharacters = 1500;
const shownCommits = 20;

/** @returns undefined for events that chats do not show, such as changed titles and running pipelines */
export function chatMessage(payload: Payload): ChatMessage | undefined {
  const words = wordsOf(payload);
  if (!words) return undefined;
  const { project } = payload;
  return {
    mood: 'neutral',
    ...words,
    author: authorOf(payload),
    project: { name: nameOf(project), url: project.web_url },
  };
}

function wordsOf(payload: Payload): Words | undefined {
  switch (payload.object_kind) {
    case 'push':
    case 'tag_push':
      return pushed(payload);
    case 'issue':
      return issue(payload);
    case 'merge_request':
      return mergeRequest(payload);
    case 'note':
      return note(payload);
    case 'wiki_page':
      return wikiPage(payload);
    case 'pipeline':
      return pipeline(payload);
    default:
      return undefined;
  }
}

const nameOf = ({ namespace, name }: PayloadProject): string => `${namespace} / ${name}`;
const linkTo = (project: PayloadProject): Part => ({ text: nameOf(project), url: project.web_url });

function authorOf(payload: Payload): ChatMessage['author'] {
  if ('user_name' in payload)
    return { name: payload.user_name ?? nameOf(payload.project), avatarUrl: payload.user_avatar };
  if (!('user' in payload) || payload.user === null) return { name: nameOf(payload.project), avatarUrl: null };
  return { name: payload.user.name, avatarUrl: payload.user.avatar_url };
}

function pushed(payload: PushPayload): Words {
  const { project, commits } = payload;
  const kind = payload.object_kind === 'push' ? 'branch' : 'tag';
  const name = refName(payload);
  const actor = actorOf(payload);
  if (isGone(payload)) return { summary: [`${actor} removed ${kind} ${name} from `, linkTo(project)], details: [] };
  const page = `${project.web_url}/-/${kind === 'tag' ? 'tags' : 'commits'}/${pathOfRef(name)}`;
  const ref: Part = { text: name, url: page };
  const details = commits
    .slice(-shownCommits)
    .map((commit): Part[] => [
      { text: commit.id.slice(0, 8), url: commit.url },
      `: ${short(commit.title)} - ${commit.author.name}`,
    ]);
  if (isNewRef(payload)) return { summary: [`${actor} pushed new ${kind} `, ref, ' to ', linkTo(project)], details };
  const compare: Part = {
    text: 'Compare changes',
    url: `${project.web_url}/-/compare/${payload.before}...${payload.after}`,
  };
  return { summary: [`${actor} pushed to ${kind} `, ref, ' of ', linkTo(project), ' (', compare, ')'], details };
}

const done: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'took back the approval of',
  unapproval: 'took back the approval of',
};

function issue(payload: IssuePayload): Words | undefined {
  const { project, object_attributes: it } = payload;
  const verb = done[it.action];
  if (!verb) return undefined;
  const title = { text: `#${it.iid} ${it.title}`, url: it.url };
  const summary: Part[] = ['[', linkTo(project), '] Issue ', title, ` ${verb} by ${actorOf(payload)}`];
  return it.action === 'open' ? { summary, title, details: lines(it.description) } : { summary, details: [] };
}

function mergeRequest(payload: MergeRequestPayload): Words | undefined {
  const { project, object_attributes: it } = payload;
  const verb = done[it.action];
  if (!verb) return undefined;
  const title = { text: `!${it.iid} ${it.title}`, url: it.url };
  return { summary: [`${actorOf(payload)} ${verb} merge request `, title, ' in ', linkTo(project)], details: [] };
}

function note(payload: NotePayload): Words {
  const { project, object_attributes: it } = payload;
  const target = { text: `commented on ${targetOf(payload)}`, url: it.url };
  return { summary: [`${actorOf(payload)} `, target, ' in ', linkTo(project)], details: lines(it.note) };
}

function targetOf({ object_attributes }: NotePayload): string {
  const { noteable_type, noteable_id, noteable_iid, commit_id } = object_attributes;
  if (commit_id) return `commit ${commit_id.slice(0, 8)}`;
  if (noteable_type === 'Issue') return `issue #${noteable_iid}`;
  return noteable_type === 'MergeRequest' ? `merge request !${noteable_iid}` : `snippet $${noteable_id}`;
}

function wikiPage(payload: WikiPayload): Words {
  const { project, object_attributes: it } = payload;
  const verb = { create: 'created', update: 'edited', delete: 'deleted' }[it.action];
  return {
    summary: [
      `${actorOf(payload)} ${verb} `,
      { text: 'wiki page', url: it.url },
      ' in ',
      linkTo(project),
      `: ${it.title}`,
    ],
    details: lines(it.message),
  };
}

function pipeline(payload: PipelinePayload): Words | undefined {
  const { user, project, object_attributes: it } = payload;
  if (it.status !== 'success' && it.status !== 'failed') return undefined;
  const passed = it.status === 'success';
  const kind = it.tag ? 'tag' : 'branch';
  const page = `${project.web_url}/-/${it.tag ? 'tags' : 'commits'}/${pathOfRef(it.ref)}`;
  const by = user ? ` by ${actorOf(payload)}` : '';
  const time = it.duration === null ? '' : ` in ${clock(it.duration)}`;
  return {
    mood: passed ? 'good' : 'bad',
    summary: [
      linkTo(project),
      ': Pipeline ',
      { text: `#${it.id}`, url: `${project.web_url}/-/pipelines/${it.id}` },
      ` of ${kind} `,
      { text: it.ref, url: page },
      `${by} has ${passed ? 'passed' : 'failed'}${time}`,
    ],
    details: [],
  };
}

/** `02:10`, with hours if needed. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
  return whole < 3600 ? parts.join(':') : `${Math.floor(whole / 3600)}:${parts.join(':')}`;
}

const short = (text: string): string => (text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text);
const lines = (text: string | null): Part[][] =>
  text
    ? short(text)
        .split('\n')
        .map((line) => [line])
    : [];
