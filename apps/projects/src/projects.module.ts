import { Mailer } from '@moothall/mail';
import { ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Grants } from './access/grants';
import { AccessOperations } from './access/operations/access.operations';
import { AccessRequests } from './access-request/access-request.repository';
import { accessRequestSchema } from './access-request/access-request.schema';
import { ApproveAccessRequest } from './access-request/approve-access-request';
import { DenyAccessRequest } from './access-request/deny-access-request';
import { ListAccessRequests } from './access-request/list-access-requests';
import { RequestAccess } from './access-request/request-access';
import { Badges } from './badge/badge.repository';
import { badgeSchema } from './badge/badge.schema';
import { ReadBadgeValues } from './badge/badge-values';
import { GroupBadges } from './badge/group-badges.operations';
import { ProjectBadges } from './badge/project-badges.operations';
import { ErrorTrackingOperations } from './error-tracking/error-tracking.operations';
import { errorTrackingSchema } from './error-tracking/error-tracking.schema';
import { ForkProject } from './fork/fork-project';
import { ForkRelations } from './fork/fork-relations.operations';
import { Forks } from './fork/forks';
import { CreateGroup } from './group/create-group';
import { DeleteGroup } from './group/delete-group';
import { EndGroup } from './group/end-group';
import { GroupViews } from './group/group.view';
import { GroupChoices } from './group/group-choices';
import { GroupPlaces } from './group/group-places';
import { ListGroupChoices } from './group/list-group-choices';
import { ListGroups } from './group/list-groups';
import { ReadGroup } from './group/read-group';
import { RemoveGroup } from './group/remove-group';
import { UpdateGroup } from './group/update-group';
import { WriteGroup } from './group/write-group';
import { CountNewMembers } from './group-activity/count-new-members';
import { BuildGroupExport } from './group-archive/export/build-group-export';
import { ExportGroup } from './group-archive/export/export-group';
import { groupExportSchema } from './group-archive/export/group-export.schema';
import { GroupExports } from './group-archive/export/group-exports';
import { WriteGroupTree } from './group-archive/export/write-group-tree';
import { ArchiveChecks } from './group-archive/format/archive-checks';
import { FillGroups } from './group-archive/import/fill-groups';
import { groupImportSchema } from './group-archive/import/group-import.schema';
import { GroupImports } from './group-archive/import/group-imports';
import { ImportGroup } from './group-archive/import/import-group';
import { RunGroupImport } from './group-archive/import/run-group-import';
import { Avatars } from './image/avatars';
import { AvatarOperations } from './image/operations/avatars.operations';
import { AppearanceOperations } from './instance/appearance/appearance.operations';
import { appearanceSchema } from './instance/appearance/appearance.schema';
import { ApplicationSettingsOperations } from './instance/application-settings/application-settings.operations';
import { applicationSettingsSchema } from './instance/application-settings/application-settings.schema';
import { InstanceSettings } from './instance/application-settings/instance-settings';
import { featureSchema } from './instance/feature/feature.schema';
import { FeaturesOperations } from './instance/feature/features.operations';
import { SetAsideJobsOperations } from './instance/set-aside-job/set-aside-jobs.operations';
import { Mails } from './mail/mails';
import { Members } from './member/member.repository';
import { memberSchema } from './member/member.schema';
import { AddMember } from './member/operations/add-member';
import { EndMemberships } from './member/operations/end-memberships';
import { ImportMembers } from './member/operations/import-members';
import { InheritedLevels } from './member/operations/inherited-levels';
import { ListMembers } from './member/operations/list-members';
import { RemoveMember } from './member/operations/remove-member';
import { UpdateMember } from './member/operations/update-member';
import { MoveBelow } from './move/move-below';
import { MoveNamespace } from './move/move-namespace';
import { Namespaces } from './namespace/namespace.repository';
import { namespaceSchema } from './namespace/namespace.schema';
import { ClaimUserPath } from './namespace/operations/claim-user-path';
import { FollowUsers } from './namespace/operations/follow-users';
import { NamespacesOperations } from './namespace/operations/namespaces.operations';
import { routeSchema } from './namespace/route.schema';
import { Routes } from './namespace/routes';
import { UserNamespaces } from './namespace/user-namespaces';
import { KeptCounts } from './project/kept-counts';
import { ArchiveProject } from './project/operations/archive-project';
import { CreateProject } from './project/operations/create-project';
import { DeleteProject } from './project/operations/delete-project';
import { FollowIssues } from './project/operations/follow-issues';
import { FollowPushes } from './project/operations/follow-pushes';
import { ListProjects } from './project/operations/list-projects';
import { ProjectFacts } from './project/operations/project-facts.operations';
import { ProjectRepositoryOperations } from './project/operations/project-repository.operations';
import { ReadProject } from './project/operations/read-project';
import { SetStorage } from './project/operations/set-storage';
import { UpdateProject } from './project/operations/update-project';
import { Projects } from './project/project.repository';
import { projectSchema } from './project/project.schema';
import { ProjectViews } from './project/project.view';
import { ProjectLists } from './project/project-lists';
import { ProjectPlaces } from './project/project-places';
import { ProjectStatisticsReader } from './project/project-statistics';
import { RemoveProject } from './project/remove-project';
import { WriteProject } from './project/write-project';
import { ClearClaims } from './removal/clear-claims';
import { ForgetGroup } from './removal/forget-group';
import { ForgetProject } from './removal/forget-project';
import { ForgetUser } from './removal/forget-user';
import { type ProjectsSettings } from './settings/settings';
import { AnnounceSharing } from './share/operations/announce-sharing';
import { EndShares } from './share/operations/end-shares';
import { ShareWithGroup } from './share/operations/share-with-group';
import { Shares } from './share/share.repository';
import { shareSchema } from './share/share.schema';
import { ShareViews } from './share/share.view';
import { ForgetStars } from './star/operations/forget-stars';
import { StarProject } from './star/operations/star-project';
import { Stars } from './star/star.repository';
import { starSchema } from './star/star.schema';
import { TransferGroup } from './transfer/transfer-group';
import { TransferProject } from './transfer/transfer-project';
import { ClearInterrupted } from './upload/operations/clear-interrupted';
import { SharedFiles } from './upload/operations/shared-files';
import { StoredUploads } from './upload/operations/stored-uploads';
import { Uploads } from './upload/operations/uploads.operations';
import { uploadSchema } from './upload/upload.schema';

@Module({
  imports: [
    UsersModule,
    MongooseModule.forFeature([
      { name: 'Namespace', schema: namespaceSchema },
      { name: 'Route', schema: routeSchema },
      { name: 'Project', schema: projectSchema },
      { name: 'Member', schema: memberSchema },
      { name: 'Share', schema: shareSchema },
      { name: 'Star', schema: starSchema },
      { name: 'AccessRequest', schema: accessRequestSchema },
      { name: 'Badge', schema: badgeSchema },
      { name: 'Appearance', schema: appearanceSchema },
      { name: 'ApplicationSettings', schema: applicationSettingsSchema },
      { name: 'Feature', schema: featureSchema },
      { name: 'GroupExport', schema: groupExportSchema },
      { name: 'GroupImport', schema: groupImportSchema },
      { name: 'Upload', schema: uploadSchema },
      { name: 'ErrorTracking', schema: errorTrackingSchema },
    ]),
  ],
  controllers: [
    ClaimUserPath,
    AccessOperations,
    AddMember,
    ImportMembers,
    CreateGroup,
    CreateProject,
    DeleteGroup,
    DeleteProject,
    ListGroups,
    ListGroupChoices,
    ListMembers,
    ListProjects,
    NamespacesOperations,
    ReadGroup,
    CountNewMembers,
    ReadProject,
    SetStorage,
    RemoveMember,
    UpdateGroup,
    UpdateMember,
    UpdateProject,
    ApproveAccessRequest,
    DenyAccessRequest,
    ListAccessRequests,
    RequestAccess,
    GroupBadges,
    ProjectBadges,
    ErrorTrackingOperations,
    ForkProject,
    ForkRelations,
    ArchiveProject,
    ProjectFacts,
    ProjectRepositoryOperations,
    SetAsideJobsOperations,
    ShareWithGroup,
    StarProject,
    TransferGroup,
    TransferProject,
    AppearanceOperations,
    ApplicationSettingsOperations,
    FeaturesOperations,
    ExportGroup,
    ImportGroup,
    AvatarOperations,
    Uploads,
  ],
  providers: [
    ClearClaims,
    FollowIssues,
    FollowPushes,
    FollowUsers,
    ForgetUser,
    EndShares,
    ForgetGroup,
    ForgetProject,
    Grants,
    GroupChoices,
    GroupViews,
    InheritedLevels,
    Members,
    MoveBelow,
    MoveNamespace,
    Namespaces,
    ProjectLists,
    ProjectPlaces,
    AnnounceSharing,
    Projects,
    ProjectViews,
    RemoveGroup,
    RemoveProject,
    Routes,
    Shares,
    ShareViews,
    Stars,
    ForgetStars,
    KeptCounts,
    UserNamespaces,
    WriteGroup,
    WriteProject,
    EndGroup,
    GroupPlaces,
    BuildGroupExport,
    GroupExports,
    WriteGroupTree,
    FillGroups,
    ArchiveChecks,
    GroupImports,
    RunGroupImport,
    InstanceSettings,
    Avatars,
    StoredUploads,
    ClearInterrupted,
    SharedFiles,
    AccessRequests,
    Badges,
    ReadBadgeValues,
    Forks,
    Mails,
    EndMemberships,
    ProjectStatisticsReader,
    {
      provide: Mailer,
      inject: [settingsToken],
      useFactory: (settings: ProjectsSettings) => new Mailer(settings),
    },
    {
      provide: ObjectStorage,
      inject: [settingsToken],
      useFactory: (settings: ProjectsSettings) => openObjectStorage('projects', settings),
    },
  ],
})
export class ProjectsModule {}
