import { Mailer } from '@moothall/mail';
import { ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessOperations } from './access/access.operations';
import { Grants } from './access/grants';
import { AccessRequests } from './access-request/access-request.repository';
import { accessRequestSchema } from './access-request/access-request.schema';
import { ApproveAccessRequest } from './access-request/approve-access-request';
import { DenyAccessRequest } from './access-request/deny-access-request';
import { ListAccessRequests } from './access-request/list-access-requests';
import { RequestAccess } from './access-request/request-access';
import { AppearanceOperations } from './appearance/appearance.operations';
import { appearanceSchema } from './appearance/appearance.schema';
import { ApplicationSettingsOperations } from './application-settings/application-settings.operations';
import { applicationSettingsSchema } from './application-settings/application-settings.schema';
import { InstanceSettings } from './application-settings/instance-settings';
import { Badges } from './badge/badge.repository';
import { badgeSchema } from './badge/badge.schema';
import { ReadBadgeValues } from './badge/badge-values';
import { GroupBadges } from './badge/group-badges.operations';
import { ProjectBadges } from './badge/project-badges.operations';
import { ErrorTrackingOperations } from './error-tracking/error-tracking.operations';
import { errorTrackingSchema } from './error-tracking/error-tracking.schema';
import { featureSchema } from './feature/feature.schema';
import { FeaturesOperations } from './feature/features.operations';
import { ForkProject } from './fork/fork-project';
import { ForkRelations } from './fork/fork-relations.operations';
import { Forks } from './fork/forks';
import { CreateGroup } from './group/create-group';
import { DeleteGroup } from './group/delete-group';
import { EndGroup } from './group/end-group';
import { ForgetGroup } from './group/forget-group';
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
import { ArchiveChecks } from './group-archive/archive-checks';
import { BuildGroupExport } from './group-export/build-group-export';
import { ExportGroup } from './group-export/export-group';
import { groupExportSchema } from './group-export/group-export.schema';
import { GroupExports } from './group-export/group-exports';
import { WriteGroupTree } from './group-export/write-group-tree';
import { FillGroups } from './group-import/fill-groups';
import { groupImportSchema } from './group-import/group-import.schema';
import { GroupImports } from './group-import/group-imports';
import { ImportGroup } from './group-import/import-group';
import { RunGroupImport } from './group-import/run-group-import';
import { Mails } from './mail/mails';
import { AddMember } from './member/add-member';
import { EndMemberships } from './member/end-memberships';
import { ImportMembers } from './member/import-members';
import { InheritedLevels } from './member/inherited-levels';
import { ListMembers } from './member/list-members';
import { Members } from './member/member.repository';
import { memberSchema } from './member/member.schema';
import { RemoveMember } from './member/remove-member';
import { UpdateMember } from './member/update-member';
import { ClaimUserPath } from './namespace/claim-user-path';
import { ClearClaims } from './namespace/clear-claims';
import { FollowUsers } from './namespace/follow-users';
import { MoveBelow } from './namespace/move-below';
import { MoveNamespace } from './namespace/move-namespace';
import { Namespaces } from './namespace/namespace.repository';
import { namespaceSchema } from './namespace/namespace.schema';
import { NamespacesOperations } from './namespace/namespaces.operations';
import { routeSchema } from './namespace/route.schema';
import { Routes } from './namespace/routes';
import { UserNamespaces } from './namespace/user-namespaces';
import { ArchiveProject } from './project/archive-project';
import { CreateProject } from './project/create-project';
import { DeleteProject } from './project/delete-project';
import { FollowIssues } from './project/follow-issues';
import { FollowPushes } from './project/follow-pushes';
import { ForgetProject } from './project/forget-project';
import { KeptCounts } from './project/kept-counts';
import { ListProjects } from './project/list-projects';
import { Projects } from './project/project.repository';
import { projectSchema } from './project/project.schema';
import { ProjectViews } from './project/project.view';
import { ProjectFacts } from './project/project-facts.operations';
import { ProjectLists } from './project/project-lists';
import { ProjectPlaces } from './project/project-places';
import { ProjectRepositoryOperations } from './project/project-repository.operations';
import { ProjectStatisticsReader } from './project/project-statistics';
import { ReadProject } from './project/read-project';
import { RemoveProject } from './project/remove-project';
import { SetStorage } from './project/set-storage';
import { UpdateProject } from './project/update-project';
import { WriteProject } from './project/write-project';
import { SetAsideJobsOperations } from './set-aside-job/set-aside-jobs.operations';
import { type ProjectsSettings } from './settings';
import { AnnounceSharing } from './share/announce-sharing';
import { Shares } from './share/share.repository';
import { shareSchema } from './share/share.schema';
import { ShareViews } from './share/share.view';
import { ShareWithGroup } from './share/share-with-group';
import { ForgetStars } from './star/forget-stars';
import { Stars } from './star/star.repository';
import { starSchema } from './star/star.schema';
import { StarProject } from './star/star-project';
import { TransferGroup } from './transfer/transfer-group';
import { TransferProject } from './transfer/transfer-project';
import { AvatarOperations, Avatars } from './upload/avatars';
import { ClearInterrupted } from './upload/clear-interrupted';
import { SharedFiles } from './upload/shared-files';
import { StoredUploads } from './upload/stored-uploads';
import { uploadSchema } from './upload/upload.schema';
import { Uploads } from './upload/uploads.operations';

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
