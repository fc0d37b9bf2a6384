import type { NamespacePage, ProjectFile, ProjectPage, SitePage } from '../page/page';
import { blamePage } from './code/blame';
import { commitPage } from './code/commit';
import { commitsPage } from './code/commits';
import { comparePage } from './code/compare';
import { contributorsPage } from './code/contributors';
import { pathPage } from './code/path';
import { rawFile } from './code/raw';
import { branchesPage, tagsPage } from './code/refs';
import { explorePage } from './explore';
import { groupPage } from './group';
import { editIssuePage } from './issues/edit-issue';
import { issuePage } from './issues/issue';
import { issuesPage } from './issues/issues';
import { newIssuePage } from './issues/new-issue';
import { editMergeRequestPage } from './merge-requests/edit-merge-request';
import { mergeRequestChangesPage, mergeRequestCommitsPage, mergeRequestPage } from './merge-requests/merge-request';
import { mergeRequestsPage } from './merge-requests/merge-requests';
import { newMergeRequestPage } from './merge-requests/new-merge-request';
import { groupMilestonesPage } from './milestones/group-milestones';
import { milestonePage } from './milestones/milestone';
import { milestonesPage } from './milestones/milestones';
import { jobLogFile, jobPage } from './pipelines/job';
import { pipelinePage } from './pipelines/pipeline';
import { pipelinesPage } from './pipelines/pipelines';
import { projectPage } from './project';
import { releasePage } from './releases/release';
import { releasesPage } from './releases/releases';
import { startPage } from './start';
import { userPage } from './user';

/** The pages at fixed paths. */
export const sitePages: readonly SitePage[] = [startPage, explorePage];

/** The pages of a project: the first one whose path fits. The last one is at each path that has no page yet. */
export const projectPages: readonly ProjectPage[] = [
  pathPage,
  blamePage,
  commitsPage,
  commitPage,
  comparePage,
  branchesPage,
  tagsPage,
  contributorsPage,
  issuesPage,
  newIssuePage,
  issuePage,
  editIssuePage,
  mergeRequestsPage,
  newMergeRequestPage,
  mergeRequestPage,
  editMergeRequestPage,
  mergeRequestCommitsPage,
  mergeRequestChangesPage,
  pipelinesPage,
  pipelinePage,
  jobPage,
  milestonesPage,
  milestonePage,
  releasesPage,
  releasePage,
  projectPage,
];

/** The files of a project. */
export const projectFiles: readonly ProjectFile[] = [rawFile, jobLogFile];

/** The pages at full paths, in this order: a user and a group never have the same path. */
export const namespacePages: readonly NamespacePage[] = [userPage, groupMilestonesPage, groupPage];
