import { invalidRecord } from '@moothall/contracts';

/** Values of the placeholders for a project; unknown values are empty. See docs/api/projects.md#4. */
export interface BadgeValues {
  project_path: string;
  project_name: string;
  project_id: string;
  default_branch: string;
  commit_sha: string;
}

const names = ['project_path', 'project_name', 'project_id', 'default_branch', 'commit_sha'] as const;
const placeholder = new RegExp(`%\\{(${names.join('|')})\\}`, 'g');
const maxLength = 255;

/** Replaces placeholders by their values; unknown placeholders stay as written, and without a project all do. */
export const resolveBadgeUrl = (url: string, values: BadgeValues | null): string =>
  values === null ? url : url.replace(placeholder, (_, name: keyof BadgeValues) => values[name]);

export const mentionsCommit = (...urls: string[]): boolean => urls.some((url) => url.includes('%{commit_sha}'));

/** Example values for the validation of a URL. */
const anything: BadgeValues = {
  project_path: 'group/project',
  project_name: 'project',
  project_id: '1',
  default_branch: 'main',
  commit_sha: '0',
};

function problemOf(url: string): string | undefined {
  if (url.length > maxLength) return `is too long (maximum is ${maxLength} characters)`;
  const parsed = URL.parse(resolveBadgeUrl(url, anything));
  if (!parsed) return 'is blocked: URI is invalid';
  if (!['http:', 'https:'].includes(parsed.protocol)) return 'is blocked: Only allowed schemes are http, https';
  return parsed.hostname === '' ? 'is blocked: URI is invalid' : undefined;
}

/** @throws common.invalid_record */
export function requireBadgeUrls(urls: { link_url?: string | undefined; image_url?: string | undefined }): void {
  const problems = Object.entries(urls).flatMap(([field, url]) => {
    const problem = url === undefined ? undefined : problemOf(url);
    return problem ? [{ field, problem }] : [];
  });
  if (problems.length > 0)
    throw invalidRecord(Object.fromEntries(problems.map(({ field, problem }) => [field, [problem]])));
}
