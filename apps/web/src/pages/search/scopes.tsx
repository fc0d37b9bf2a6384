import {
  type BlobMatch,
  type GroupRef,
  type Input,
  type Operation,
  type Page,
  type PageOutput,
  type ProjectRef,
  searchBlobs,
  searchCommits,
  searchGroupBlobs,
  searchGroupCommits,
  searchGroupIssues,
  searchGroupMergeRequests,
  searchGroupMilestones,
  searchGroupProjects,
  searchGroupUsers,
  searchGroupWikiBlobs,
  searchIssues,
  searchMergeRequests,
  searchMilestones,
  searchProjectBlobs,
  searchProjectCommits,
  searchProjectIssues,
  searchProjectMergeRequests,
  searchProjectMilestones,
  searchProjectNotes,
  searchProjects,
  searchProjectUsers,
  searchProjectWikiBlobs,
  searchSnippetTitles,
  searchUsers,
  searchWikiBlobs,
  type WikiBlobMatch,
} from '@moothall/contracts';
import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import { below } from '../../parts/code-address';
import { ProjectList } from '../../parts/project-list';
import { longestText } from '../../parts/texts';
import { wikiPath } from '../../parts/wiki-path';
import { WorkList } from '../../parts/work';
import type { Visit } from '../../visit/visits';
import { CommitMatches, FileMatches, NoteMatches, UserMatches } from './matches';

/** Where a search looks: in the whole instance, in a group with its subgroups, or in a project. */
export type SearchTarget =
  | { kind: 'instance' }
  | { kind: 'group'; parent: GroupRef }
  | { kind: 'project'; parent: ProjectRef };

/** A kind of record that a search finds. */
export interface Scope {
  /** As in addresses: that of the API. */
  name: string;
  title: string;
  /** By the kind of target; some have no such search. */
  operations: Partial<Record<SearchTarget['kind'], Operation>>;
  /** @throws as the operation @returns the number of matches on this page, and their list */
  find(visit: Visit, target: SearchTarget, asked: Asked): Promise<Found>;
}

interface Asked {
  search: string;
  page: number;
  per_page: number;
}

export interface Found {
  shown: number;
  list: ComponentChildren;
}

/** What a list of matches needs. */
interface Shown {
  visit: Visit;
  /** If the search is in one. */
  project: ProjectRef | undefined;
}

/** @param list shows the matches */
const scope = <T extends z.ZodType>(
  name: string,
  title: string,
  operations: Partial<Record<SearchTarget['kind'], Operation<Input, PageOutput<T>>>>,
  list: (matches: readonly z.input<T>[], shown: Shown) => ComponentChildren | Promise<ComponentChildren>,
): Scope => ({
  name,
  title,
  operations,
  async find(visit, target, asked) {
    const operation: Operation | undefined = operations[target.kind];
    if (!operation) return { shown: 0, list: null };
    const project = target.kind === 'project' ? target.parent : undefined;
    const parent = target.kind === 'instance' ? {} : { id: String(target.parent.id) };
    const { items } = (await visit.ask(operation, { ...parent, scope: name, ...asked }, longestText)) as Page<
      z.input<T>
    >;
    return { shown: items.length, list: await list(items, { visit, project }) };
  },
});

const lineInCode = (project: ProjectRef, { ref, path }: BlobMatch, line: number): string =>
  `${below(project, 'blob', ref, path)}#L${line}`;

/** Its page has no lines. */
const pageOfWiki = (project: ProjectRef, { basename }: WikiBlobMatch): string => wikiPath(project, basename);

/** All of them, in the order of their links. Source: docs/api/search.md#1. */
export const scopes: readonly Scope[] = [
  scope('projects', 'Projects', { instance: searchProjects, group: searchGroupProjects }, (projects) => (
    <ProjectList projects={projects} none="" />
  )),
  scope(
    'blobs',
    'Code',
    { instance: searchBlobs, group: searchGroupBlobs, project: searchProjectBlobs },
    (matches, { visit }) => FileMatches({ visit, matches, addressOf: lineInCode }),
  ),
  scope(
    'issues',
    'Issues',
    { instance: searchIssues, group: searchGroupIssues, project: searchProjectIssues },
    (issues) => <WorkList items={issues} />,
  ),
  scope(
    'merge_requests',
    'Merge requests',
    { instance: searchMergeRequests, group: searchGroupMergeRequests, project: searchProjectMergeRequests },
    (requests) => <WorkList items={requests} />,
  ),
  scope(
    'notes',
    'Comments',
    { project: searchProjectNotes },
    (notes, { project }) => project && <NoteMatches project={project} notes={notes} />,
  ),
  scope(
    'commits',
    'Commits',
    { instance: searchCommits, group: searchGroupCommits, project: searchProjectCommits },
    (commits) => <CommitMatches commits={commits} />,
  ),
  scope(
    'wiki_blobs',
    'Wikis',
    { instance: searchWikiBlobs, group: searchGroupWikiBlobs, project: searchProjectWikiBlobs },
    (matches, { visit }) => FileMatches({ visit, matches, addressOf: pageOfWiki }),
  ),
  scope(
    'milestones',
    'Milestones',
    { instance: searchMilestones, group: searchGroupMilestones, project: searchProjectMilestones },
    (milestones) => <WorkList items={milestones} />,
  ),
  scope('users', 'Users', { instance: searchUsers, group: searchGroupUsers, project: searchProjectUsers }, (users) => (
    <UserMatches users={users} />
  )),
  scope('snippet_titles', 'Snippets', { instance: searchSnippetTitles }, (snippets) => <WorkList items={snippets} />),
];
