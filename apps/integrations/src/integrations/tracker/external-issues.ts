import { type Settings, setting } from '../request/outgoing';
import { closes } from '../words/closes';
import type { Part } from '../words/part';

/** An issue of an external tracker that a text closes. */
export interface ExternalIssue {
  /** As written in the text. */
  id: string;
  url: string;
}

/** The pattern of a tracker's issues, and their URLs. */
export interface Tracker {
  /** Matches one reference; its last matching group is the part for the URL. */
  pattern: RegExp;
  addressOf: (key: string) => string;
}

const mostIssues = 100;

const keyed = /\b[A-Z][A-Z0-9_]{0,30}-\d{1,15}\b/g;
const numbered = /\b[A-Z][A-Z0-9_]{0,30}-(\d{1,15})\b/g;
const workItem = /\b(?:bug|task|work item|workitem|rtcwi|defect) {1,3}(\d{1,15})\b/gi;
/** If the project has no issues of its own, `#12` refers to the tracker. */
const numberedOrPlain = /\b[A-Z][A-Z0-9_]{0,30}-(\d{1,15})\b|(?<![\w&])#(\d{1,15})\b/g;
const keyedOrPlain = /\b[A-Z][A-Z0-9_]{0,30}-\d{1,15}\b|(?<![\w&])#(\d{1,15})\b/g;

/** @param hasOwnIssues whether issues of the project are enabled @returns undefined if it is not a tracker */
export function trackerOf(slug: string, settings: Settings, hasOwnIssues: boolean): Tracker | undefined {
  const addressOf = (key: string) => setting(settings, 'issues_url').replaceAll(':id', encodeURIComponent(key));
  switch (slug) {
    case 'custom-issue-tracker':
    case 'bugzilla':
    case 'redmine':
      return { pattern: hasOwnIssues ? numbered : numberedOrPlain, addressOf };
    case 'youtrack':
      return { pattern: hasOwnIssues ? keyed : keyedOrPlain, addressOf };
    case 'ewm':
      return { pattern: workItem, addressOf };
    case 'jira':
      return {
        pattern: keyed,
        addressOf: (key) => `${setting(settings, 'url').replace(/(?<!\/)\/+$/, '')}/browse/${key}`,
      };
    default:
      return undefined;
  }
}

/** A text with its references as links. */
export function linked(text: string, { pattern, addressOf }: Tracker): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), { text: match[0], url: addressOf(keyOf(match)) });
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== '');
}

/** The issues that texts close, each once. */
export function closedIssuesIn(texts: readonly string[], { pattern, addressOf }: Tracker): ExternalIssue[] {
  const found = new Map<string, ExternalIssue>();
  for (const text of texts)
    for (const match of text.matchAll(pattern))
      if (found.size < mostIssues && closes(text, match.index))
        found.set(match[0], { id: match[0], url: addressOf(keyOf(match)) });
  return [...found.values()];
}

const keyOf = (match: RegExpExecArray): string => match.slice(1).find((group) => group !== undefined) ?? match[0];
