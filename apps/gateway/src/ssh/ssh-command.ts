import { gitServices } from '@moothall/contracts';
import type { GitTarget } from '../git-access/git-access';

const pattern = /^git[- ](?<verb>upload-pack|receive-pack) (?<path>.+)$/s;
const lfsPattern = /^git-lfs-authenticate (?<path>.+) (?<operation>upload|download)(?: [0-9a-f]{64})?$/s;

/** Parses the command that git sends: `git-upload-pack '/group/project.git'`. @returns undefined for anything else */
export function parseSshCommand(command: string): GitTarget | undefined {
  const groups = pattern.exec(command)?.groups;
  const service = gitServices.find((one) => one === `git-${groups?.verb}`);
  return service && groups ? targetOf(groups.path ?? '', service) : undefined;
}

/**
 * Parses the command that git-lfs sends: `git-lfs-authenticate 'group/project.git' download`.
 * @returns the git service with the same rights; undefined for anything else
 */
export function parseLfsCommand(command: string): GitTarget | undefined {
  const groups = lfsPattern.exec(command)?.groups;
  return groups && targetOf(groups.path ?? '', groups.operation === 'upload' ? 'git-receive-pack' : 'git-upload-pack');
}

/** Whether it is the command of `git archive --remote`. */
export const isArchiveCommand = (command: string): boolean => /^git[- ]upload-archive(?: |$)/.test(command);

function targetOf(text: string, service: GitTarget['service']): GitTarget | undefined {
  const quoted = unquote(text);
  if (quoted === undefined) return undefined;
  const name = without(quoted.replace(/^\/+|(?<!\/)\/+$/g, ''), '.git');
  // Project names cannot end in .wiki, which is reserved for wikis.
  const path = without(name, '.wiki');
  return path.includes('/') ? { path, repository: path === name ? 'project' : 'wiki', service } : undefined;
}

const without = (text: string, ending: string): string =>
  text.endsWith(ending) ? text.slice(0, -ending.length) : text;

/**
 * In git's shell quoting: in apostrophes, with `'\''` and `'\!'` for the characters that these cannot contain. Plain
 * words are accepted.
 */
function unquote(text: string): string | undefined {
  if (/^[\w./@+~-]+$/.test(text)) return text;
  if (!/^'(?:[^'!]|'\\['!]')*'$/s.test(text)) return undefined;
  return text.slice(1, -1).replace(/'\\(['!])'/g, '$1');
}
