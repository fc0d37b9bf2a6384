import type { Commit } from '../../git/objects/commit';
import { trailersIn } from '../commit/trailers';
import { compareVersions, readVersion, type Version } from './version';

/** An entry of a section. */
export interface Entry {
  category: string;
  title: string;
  commitId: string;
  /** Number of the merge request that contained it. */
  mergeRequest: number | undefined;
}

/**
 * Commits with the trailer, in their order; without reverted commits and their reverts.
 * @param commits newest first
 */
export function entriesOf(commits: readonly Commit[], trailer: string): Entry[] {
  const reverted = new Set(commits.flatMap(({ message }) => revertedBy(message)));
  const broughtBy = mergeRequestsOf(commits);
  const wanted = trailer.toLowerCase();
  return commits.flatMap((commit) => {
    if (reverted.has(commit.id)) return [];
    const [, category] = trailersIn(commit.message).find(([name]) => name.toLowerCase() === wanted) ?? [];
    if (!category) return [];
    return [{ category, title: commit.title, commitId: commit.id, mergeRequest: broughtBy.get(commit.id) }];
  });
}

function revertedBy(message: string): string[] {
  const [, id] = /^This reverts commit ([0-9a-f]{40})/m.exec(message) ?? [];
  return id ? [id] : [];
}

/**
 * A merge commit names its merge request, which then applies to every commit that the merge brought. Merges are
 * processed oldest first: commits that are reachable from the first parent are already assigned or on the mainline.
 */
function mergeRequestsOf(commits: readonly Commit[]): Map<string, number | undefined> {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const found = new Map<string, number | undefined>();
  for (const tip of mainlineOf(commits, byId)) {
    const [, number] = /^See merge request \S{0,1000}!(\d{1,10})$/m.exec(tip.message) ?? [];
    const waiting = [tip.id];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const commit = byId.get(id);
      if (!commit || found.has(id)) continue;
      found.set(id, number === undefined ? undefined : Number(number));
      waiting.push(...commit.parentIds);
    }
  }
  return found;
}

/** From the newest along first parents; returned oldest first. */
function mainlineOf(commits: readonly Commit[], byId: ReadonlyMap<string, Commit>): Commit[] {
  const line: Commit[] = [];
  for (let at = commits[0]; at; at = byId.get(at.parentIds[0] ?? '')) line.push(at);
  return line.reverse();
}

interface Section {
  version: string;
  date: string;
  entries: readonly Entry[];
  /** Full path; the prefix of ids and numbers. */
  project: string;
  /** Headings by value of the trailer; other values are used as they are. */
  categories: Readonly<Record<string, string>>;
}

export function renderSection({ version, date, entries, project, categories }: Section): string {
  const byHeading = new Map<string, Entry[]>();
  for (const entry of entries) {
    const heading = Object.hasOwn(categories, entry.category) ? (categories[entry.category] ?? '') : entry.category;
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), entry]);
  }
  const parts = [...byHeading].map(([heading, some]) => {
    const count = some.length === 1 ? '1 change' : `${some.length} changes`;
    return `### ${heading} (${count})\n\n${some.map((entry) => line(entry, project)).join('')}`;
  });
  return `## ${version} (${date})\n\n${parts.length > 0 ? parts.join('\n') : 'No changes.\n'}`;
}

function line({ title, commitId, mergeRequest }: Entry, project: string): string {
  const brought = mergeRequest === undefined ? '' : ` ([merge request](${project}!${mergeRequest}))`;
  return `- [${title}](${project}@${commitId})${brought}\n`;
}

/** Inserts a section in the order of versions, newest first, or replaces the section of the same version. */
export function addSection(changelog: string, version: Version, section: string): string {
  const sections: { version: Version; text: string }[] = [];
  let lead = '';
  for (const text of changelog.split(/^(?=## )/m)) {
    const found = readVersion(/^## (\S{1,300})/.exec(text)?.[1] ?? '');
    const last = sections.at(-1);
    if (found) sections.push({ version: found, text });
    // Any other heading belongs to the section above.
    else if (last) last.text += text;
    else lead += text;
  }
  const others = sections.filter((each) => compareVersions(each.version, version) !== 0);
  const all = [...others, { version, text: section }].sort((a, b) => compareVersions(b.version, a.version));
  return [lead, ...all.map(({ text }) => text)]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => `${text}\n`)
    .join('\n');
}
