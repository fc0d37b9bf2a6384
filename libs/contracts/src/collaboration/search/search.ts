import { z } from 'zod';
import {
  Access,
  commaList,
  onGroup,
  onProject,
  operation,
  page,
  planning,
  searchedState,
  searchOf,
  searchOrder,
  signedIn,
  withArchived,
} from '../../operation';
import { Issue } from '../issue/issue-view';
import { MergeRequest, SimpleMergeRequest } from '../merge-request/merge-request-view';
import { Milestone } from '../milestone/milestone-view';
import { Note } from '../noteable/note';
import { Snippet } from '../snippet/snippet';

const fields = {
  fields: commaList(z.enum(['title']))
    .optional()
    .describe('`title` alone; else the description is looked through as well'),
};
const ofIssuables = { ...searchOrder, ...searchedState, ...fields };
const ofIssues = {
  ...ofIssuables,
  confidential: z.boolean().optional().describe('Confidential issues alone, or the others alone'),
};

const issues = {
  instance: searchOf('instance', 'issues'),
  group: searchOf('group', 'issues'),
  project: searchOf('project', 'issues'),
};

/** See docs/api/search.md#5. */
export const searchIssues = operation({
  name: 'collaboration.search.issues',
  summary: 'Search for issues of all projects that the caller reads',
  ...issues.instance,
  access: signedIn(),
  input: z.object({ ...issues.instance.input, ...ofIssues, ...withArchived }),
  output: page(Issue),
});

export const searchGroupIssues = operation({
  name: 'collaboration.group-search.issues',
  summary: 'Search for issues of all projects of a group and its subgroups',
  ...issues.group,
  access: onGroup(),
  input: z.object({ ...issues.group.input, ...ofIssues, ...withArchived }),
  output: page(Issue),
});

export const searchProjectIssues = operation({
  name: 'collaboration.project-search.issues',
  summary: 'Search for issues of a project',
  ...issues.project,
  access: onProject({ feature: 'issues' }),
  input: z.object({ ...issues.project.input, ...ofIssues }),
  output: page(Issue),
});

const foundMergeRequests = page(z.union([MergeRequest, SimpleMergeRequest]));
const mergeRequests = {
  instance: searchOf('instance', 'merge_requests'),
  group: searchOf('group', 'merge_requests'),
  project: searchOf('project', 'merge_requests'),
};

export const searchMergeRequests = operation({
  name: 'collaboration.search.merge-requests',
  summary: 'Search for merge requests of all projects that the caller reads',
  ...mergeRequests.instance,
  access: signedIn(),
  input: z.object({ ...mergeRequests.instance.input, ...ofIssuables, ...withArchived }),
  output: foundMergeRequests,
});

export const searchGroupMergeRequests = operation({
  name: 'collaboration.group-search.merge-requests',
  summary: 'Search for merge requests of all projects of a group and its subgroups',
  ...mergeRequests.group,
  access: onGroup(),
  input: z.object({ ...mergeRequests.group.input, ...ofIssuables, ...withArchived }),
  output: foundMergeRequests,
});

export const searchProjectMergeRequests = operation({
  name: 'collaboration.project-search.merge-requests',
  summary: 'Search for merge requests of a project',
  ...mergeRequests.project,
  access: onProject({ feature: 'merge_requests', levelInPrivate: Access.Reporter }),
  input: z.object({ ...mergeRequests.project.input, ...ofIssuables }),
  output: foundMergeRequests,
});

const milestones = {
  instance: searchOf('instance', 'milestones'),
  group: searchOf('group', 'milestones'),
  project: searchOf('project', 'milestones'),
};

/** See docs/api/search.md#6. */
export const searchMilestones = operation({
  name: 'collaboration.search.milestones',
  summary: 'Search for milestones of all projects that the caller reads',
  ...milestones.instance,
  access: signedIn(),
  input: z.object({ ...milestones.instance.input, ...withArchived }),
  output: page(Milestone),
});

export const searchGroupMilestones = operation({
  name: 'collaboration.group-search.milestones',
  summary: 'Search for milestones of a group and of the projects in it and below',
  ...milestones.group,
  access: onGroup(),
  input: z.object({ ...milestones.group.input, ...withArchived }),
  output: page(Milestone),
});

export const searchProjectMilestones = operation({
  name: 'collaboration.project-search.milestones',
  summary: 'Search for milestones of a project',
  ...milestones.project,
  access: onProject({ feature: planning }),
  input: z.object(milestones.project.input),
  output: page(Milestone),
});

const snippetTitles = searchOf('instance', 'snippet_titles');

/** See docs/api/search.md#7. */
export const searchSnippetTitles = operation({
  name: 'collaboration.search.snippet-titles',
  summary: 'Search for snippets by title',
  ...snippetTitles,
  access: signedIn(),
  input: z.object(snippetTitles.input),
  output: page(Snippet),
});

const notes = searchOf('project', 'notes', 'texts');

/** See docs/api/search.md#8. */
export const searchProjectNotes = operation({
  name: 'collaboration.project-search.notes',
  summary: 'Search in what people wrote on issues and merge requests of a project',
  description: 'Newest first; of the 2,000 newest that have the words, those that the caller sees.',
  ...notes,
  access: onProject({ feature: planning }),
  input: z.object(notes.input),
  output: page(Note),
});
