import { z } from 'zod';
import { Access, onGroup, onProject, operation, page, searchOf, signedIn } from '../operation';
import { Commit } from './commit-view';

/** A place in a file. See docs/api/search.md#9. */
export const BlobMatch = z.object({
  basename: z.string().describe('The path without its extension'),
  data: z.string().describe('The line with its neighbours; of a file found by its path, its beginning'),
  path: z.string(),
  filename: z.string().describe('Older name of `path`'),
  id: z.null(),
  ref: z.string(),
  startline: z.int().describe('Number of the first line of `data`'),
  project_id: z.int(),
});
export type BlobMatch = z.infer<typeof BlobMatch>;

export const WikiBlobMatch = BlobMatch.extend({ group_id: z.null() });
export type WikiBlobMatch = z.infer<typeof WikiBlobMatch>;
export const CommitMatch = Commit.extend({ project_id: z.int() });
export type CommitMatch = z.infer<typeof CommitMatch>;

const ref = { ref: z.string().optional().describe('Branch, tag or commit; the default branch unless given') };
const readsCodeSignedIn = onProject({
  feature: 'repository',
  levelInPrivate: Access.Reporter,
  ability: 'read_code',
});

/** The text of a code search: literal, with limits of time, bytes and matches. */
const literally =
  'Literally and in any case, in text files of at most 1 MiB; `filename:`, `path:` and `extension:` narrow it, with `*`, and with `-` before them leave out. The first 1,000 places.';
/** Across projects. */
const across =
  ' It searches the 100 projects with the latest activity whose code the caller may read, for at most 15 seconds.';

const blobs = {
  instance: searchOf('instance', 'blobs', 'texts'),
  group: searchOf('group', 'blobs', 'texts'),
  project: searchOf('project', 'blobs', 'texts'),
};
const wikiBlobs = {
  instance: searchOf('instance', 'wiki_blobs', 'texts'),
  group: searchOf('group', 'wiki_blobs', 'texts'),
  project: searchOf('project', 'wiki_blobs', 'texts'),
};
const commits = {
  instance: searchOf('instance', 'commits', 'texts'),
  group: searchOf('group', 'commits', 'texts'),
  project: searchOf('project', 'commits', 'texts'),
};

export const searchProjectBlobs = operation({
  name: 'repository.project-search.blobs',
  summary: 'Search in the files of a project',
  description: literally,
  refusals: ['repository_content.ref_not_found', 'git.timed_out'],
  ...blobs.project,
  access: readsCodeSignedIn,
  input: z.object({ ...blobs.project.input, ...ref }),
  output: page(BlobMatch),
  routedByStorage: true,
  endsWithClient: true,
});

export const searchProjectWikiBlobs = operation({
  name: 'repository.project-search.wiki-blobs',
  summary: 'Search in the pages of the wiki of a project',
  description: literally,
  refusals: ['repository_content.ref_not_found', 'git.timed_out'],
  ...wikiBlobs.project,
  access: onProject({ feature: 'wiki' }),
  input: z.object({ ...wikiBlobs.project.input, ...ref }),
  output: page(WikiBlobMatch),
  routedByStorage: true,
  endsWithClient: true,
});

export const searchProjectCommits = operation({
  name: 'repository.project-search.commits',
  summary: 'Search in messages of commits of a project',
  description: 'Newest first. A prefix of an id finds that commit.',
  refusals: ['repository_content.ref_not_found', 'git.timed_out'],
  ...commits.project,
  access: readsCodeSignedIn,
  input: z.object({ ...commits.project.input, ...ref }),
  output: page(CommitMatch),
  routedByStorage: true,
  endsWithClient: true,
});

export const searchBlobs = operation({
  name: 'repository.search.blobs',
  summary: 'Search in the files of projects',
  description: literally + across,
  ...blobs.instance,
  access: signedIn(),
  input: z.object(blobs.instance.input),
  output: page(BlobMatch),
  endsWithClient: true,
});

export const searchGroupBlobs = operation({
  name: 'repository.group-search.blobs',
  summary: 'Search in the files of projects of a group and its subgroups',
  description: literally + across,
  ...blobs.group,
  access: onGroup(),
  input: z.object(blobs.group.input),
  output: page(BlobMatch),
  endsWithClient: true,
});

export const searchWikiBlobs = operation({
  name: 'repository.search.wiki-blobs',
  summary: 'Search in the pages of wikis',
  description: literally + across,
  ...wikiBlobs.instance,
  access: signedIn(),
  input: z.object(wikiBlobs.instance.input),
  output: page(WikiBlobMatch),
  endsWithClient: true,
});

export const searchGroupWikiBlobs = operation({
  name: 'repository.group-search.wiki-blobs',
  summary: 'Search in the pages of wikis of a group and its subgroups',
  description: literally + across,
  ...wikiBlobs.group,
  access: onGroup(),
  input: z.object(wikiBlobs.group.input),
  output: page(WikiBlobMatch),
  endsWithClient: true,
});

export const searchCommits = operation({
  name: 'repository.search.commits',
  summary: 'Search in messages of commits',
  description: `Project by project, newest first in each.${across}`,
  ...commits.instance,
  access: signedIn(),
  input: z.object(commits.instance.input),
  output: page(CommitMatch),
  endsWithClient: true,
});

export const searchGroupCommits = operation({
  name: 'repository.group-search.commits',
  summary: 'Search in messages of commits of projects of a group and its subgroups',
  description: `Project by project, newest first in each.${across}`,
  ...commits.group,
  access: onGroup(),
  input: z.object(commits.group.input),
  output: page(CommitMatch),
  endsWithClient: true,
});
