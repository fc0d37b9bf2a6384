import type { GroupPage, ProjectFile, ProjectPage, SiteFile, SitePage } from '../page/page';
import { accessTokensPage } from './account/access-tokens';
import { emailsPage } from './account/emails';
import { gpgKeysPage } from './account/gpg-keys';
import { notificationsPage } from './account/notifications';
import { profilePage } from './account/profile';
import { sessionsPage } from './account/sessions';
import { sshKeysPage } from './account/ssh-keys';
import { appearancePage } from './admin/appearance';
import { generalInstanceSettingsPage, networkSettingsPage } from './admin/application-settings';
import { editGeoNodePage } from './admin/edit-geo-node';
import { editUserPage } from './admin/edit-user';
import { geoNodesPage, geoProjectsPage } from './admin/geo-nodes';
import { impersonationTokensPage } from './admin/impersonation-tokens';
import { newUserPage } from './admin/new-user';
import { adminPage } from './admin/overview';
import { storageMovesPage } from './admin/storage-moves';
import { adminUserPage } from './admin/user';
import { usersPage } from './admin/users';
import { badgesPage, groupBadgesPage } from './badges/badges';
import { groupBoardPage, projectBoardPage } from './boards/board';
import { groupBoardsPage, projectBoardsPage } from './boards/boards';
import { archiveFile } from './code/archive';
import { blamePage } from './code/blame';
import { commitPage } from './code/commit';
import { commitsPage } from './code/commits';
import { comparePage } from './code/compare';
import { contributorsPage } from './code/contributors';
import { commitPatchFile, mergeRequestPatchFile } from './code/patch';
import { pathPage } from './code/path';
import { rawFile } from './code/raw';
import { branchesPage, tagsPage } from './code/refs';
import { tagPage } from './code/tag';
import { groupTokensPage, projectTokensPage } from './credentials/access-tokens';
import { deployKeysPage } from './credentials/deploy-keys';
import { deployTokensPage, groupDeployTokensPage } from './credentials/deploy-tokens';
import { epicPage } from './epics/epic';
import { epicsPage } from './epics/epics';
import { explorePage } from './explore';
import { groupPage } from './group';
import { groupSettingsPage } from './group-settings/general';
import { editGroupHookPage, editHookPage } from './hooks/edit-hook';
import { editSystemHookPage } from './hooks/edit-system-hook';
import { groupHookDeliveryPage, hookDeliveryPage } from './hooks/hook-delivery';
import { groupHooksPage, hooksPage } from './hooks/hooks';
import { systemHookDeliveryPage } from './hooks/system-hook-delivery';
import { systemHooksPage } from './hooks/system-hooks';
import { imagePage } from './images/image';
import { imagesPage } from './images/images';
import { editIssuePage } from './issues/edit-issue';
import { groupIssuesPage } from './issues/group-issues';
import { issuePage } from './issues/issue';
import { issuesPage } from './issues/issues';
import { newIssuePage } from './issues/new-issue';
import { iterationPage } from './iterations/iteration';
import { iterationsPage } from './iterations/iterations';
import { groupMembersPage, projectMembersPage } from './members/members';
import { editMergeRequestPage } from './merge-requests/edit-merge-request';
import { groupMergeRequestsPage } from './merge-requests/group-merge-requests';
import {
  mergeRequestChangesPage,
  mergeRequestCommitsPage,
  mergeRequestPage,
  mergeRequestPipelinesPage,
} from './merge-requests/merge-request';
import { mergeRequestsPage } from './merge-requests/merge-requests';
import { newMergeRequestPage } from './merge-requests/new-merge-request';
import { groupMilestonePage, groupMilestonesPage } from './milestones/group-milestones';
import { milestonePage } from './milestones/milestone';
import {
  editGroupMilestonePage,
  editMilestonePage,
  newGroupMilestonePage,
  newMilestonePage,
} from './milestones/milestone-forms';
import { milestonesPage } from './milestones/milestones';
import { mirrorsPage } from './mirrors/mirrors';
import { newGroupPage } from './new-group';
import { newProjectPage } from './new-project';
import { editIssueNotePage, editMergeRequestNotePage, editSnippetNotePage } from './notes/edit-note';
import { packageFile, packagePage } from './packages/package';
import { groupPackagesPage, projectPackagesPage } from './packages/packages';
import { artifactFile, artifactsFile, artifactsPage } from './pipelines/artifacts';
import { jobLogFile, jobPage } from './pipelines/job';
import { newPipelinePage } from './pipelines/new-pipeline';
import { pipelinePage } from './pipelines/pipeline';
import { pipelinesPage } from './pipelines/pipelines';
import { projectPage } from './project';
import { generalSettingsPage } from './project-settings/general';
import { mergeRequestSettingsPage, pipelineSettingsPage } from './project-settings/settings-page';
import { editReleasePage } from './releases/edit-release';
import { evidenceFile } from './releases/evidence';
import { newReleasePage } from './releases/new-release';
import { releasePage } from './releases/release';
import { releasesPage } from './releases/releases';
import { editSchedulePage } from './schedules/edit-schedule';
import { newSchedulePage } from './schedules/new-schedule';
import { schedulesPage } from './schedules/schedules';
import { searchPage } from './search/search';
import { editProjectSnippetPage, editSnippetPage } from './snippets/edit-snippet';
import { newProjectSnippetPage, newSnippetPage } from './snippets/new-snippet';
import { projectSnippetFile, snippetFile } from './snippets/raw';
import { projectSnippetPage, snippetPage } from './snippets/snippet';
import { ownSnippetsPage, projectSnippetsPage } from './snippets/snippets';
import { startPage } from './start';
import { todosPage } from './todos';
import { groupVariablesPage, variablesPage } from './variables/variables';
import { editWikiPage } from './wikis/edit-wiki-page';
import { newWikiPage } from './wikis/new-wiki-page';
import { wikiAttachmentFile } from './wikis/wiki-attachment';
import { wikiDiffPage } from './wikis/wiki-diff';
import { wikiPage } from './wikis/wiki-page';
import { wikiPagesPage } from './wikis/wiki-pages';

/** The pages of the instance. */
export const sitePages: readonly SitePage[] = [
  startPage,
  explorePage,
  searchPage,
  todosPage,
  newProjectPage,
  newGroupPage,
  ownSnippetsPage,
  newSnippetPage,
  snippetPage,
  editSnippetPage,
  profilePage,
  emailsPage,
  accessTokensPage,
  sshKeysPage,
  gpgKeysPage,
  sessionsPage,
  notificationsPage,
  adminPage,
  usersPage,
  newUserPage,
  adminUserPage,
  editUserPage,
  impersonationTokensPage,
  systemHooksPage,
  editSystemHookPage,
  systemHookDeliveryPage,
  appearancePage,
  generalInstanceSettingsPage,
  networkSettingsPage,
  geoNodesPage,
  geoProjectsPage,
  editGeoNodePage,
  storageMovesPage,
];

/** The files of the instance. */
export const siteFiles: readonly SiteFile[] = [snippetFile];

/** The pages of a project: the first one whose path fits. */
export const projectPages: readonly ProjectPage[] = [
  pathPage,
  blamePage,
  commitsPage,
  commitPage,
  comparePage,
  branchesPage,
  tagsPage,
  tagPage,
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
  mergeRequestPipelinesPage,
  schedulesPage,
  newSchedulePage,
  editSchedulePage,
  pipelinesPage,
  newPipelinePage,
  pipelinePage,
  jobPage,
  artifactsPage,
  projectBoardsPage,
  projectBoardPage,
  projectPackagesPage,
  packagePage,
  imagesPage,
  imagePage,
  milestonesPage,
  newMilestonePage,
  milestonePage,
  editMilestonePage,
  releasesPage,
  newReleasePage,
  editReleasePage,
  releasePage,
  wikiPagesPage,
  newWikiPage,
  editWikiPage,
  wikiDiffPage,
  wikiPage,
  projectSnippetsPage,
  newProjectSnippetPage,
  projectSnippetPage,
  editProjectSnippetPage,
  editIssueNotePage,
  editMergeRequestNotePage,
  editSnippetNotePage,
  projectMembersPage,
  generalSettingsPage,
  mergeRequestSettingsPage,
  pipelineSettingsPage,
  hooksPage,
  editHookPage,
  hookDeliveryPage,
  mirrorsPage,
  badgesPage,
  deployKeysPage,
  deployTokensPage,
  projectTokensPage,
  variablesPage,
  projectPage,
];

/** The files of a project. */
export const projectFiles: readonly ProjectFile[] = [
  rawFile,
  archiveFile,
  commitPatchFile,
  mergeRequestPatchFile,
  jobLogFile,
  artifactsFile,
  artifactFile,
  evidenceFile,
  packageFile,
  wikiAttachmentFile,
  projectSnippetFile,
];

/** The pages of a group: the first one whose path fits. */
export const groupPages: readonly GroupPage[] = [
  groupMembersPage,
  groupIssuesPage,
  groupMergeRequestsPage,
  groupMilestonesPage,
  newGroupMilestonePage,
  groupMilestonePage,
  editGroupMilestonePage,
  groupBoardsPage,
  groupBoardPage,
  epicsPage,
  epicPage,
  iterationsPage,
  iterationPage,
  groupPackagesPage,
  groupSettingsPage,
  groupVariablesPage,
  groupTokensPage,
  groupDeployTokensPage,
  groupHooksPage,
  editGroupHookPage,
  groupHookDeliveryPage,
  groupBadgesPage,
  groupPage,
];
