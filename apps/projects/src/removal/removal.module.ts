import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AccessRequestModule } from '../access-request/access-request.module';
import { BadgeModule } from '../badge/badge.module';
import { ErrorTrackingModule } from '../error-tracking/error-tracking.module';
import { FilesModule } from '../files/files.module';
import { ForkModule } from '../fork/fork.module';
import { GroupModule } from '../group/group.module';
import { GroupArchiveModule } from '../group-archive/group-archive.module';
import { ImageModule } from '../image/image.module';
import { InvitationModule } from '../invitation/invitation.module';
import { JobTokenScopeModule } from '../job-token-scope/job-token-scope.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { NotificationModule } from '../notification/notification.module';
import { ProjectModule } from '../project/project.module';
import { ProjectArchiveModule } from '../project-archive/project-archive.module';
import { StarModule } from '../star/operations/star.module';
import { UploadModule } from '../upload/operations/upload.module';
import { ClearClaims } from './clear-claims';
import { ForgetFormerAvatar } from './forget-former-avatar';
import { ForgetGroup } from './forget-group';
import { ForgetProject } from './forget-project';
import { ForgetUser } from './forget-user';

/** Removal of records after a user, project or group is deleted. */
@Module({
  imports: [
    AccessModule,
    AccessRequestModule,
    BadgeModule,
    ErrorTrackingModule,
    FilesModule,
    ForkModule,
    GroupArchiveModule,
    GroupModule,
    ImageModule,
    JobTokenScopeModule,
    InvitationModule,
    NamespaceModule,
    NotificationModule,
    ProjectArchiveModule,
    ProjectModule,
    StarModule,
    UploadModule,
  ],
  providers: [ClearClaims, ForgetFormerAvatar, ForgetGroup, ForgetProject, ForgetUser],
})
export class RemovalModule {}
