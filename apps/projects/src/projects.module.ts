import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { AccessOperationsModule } from './access/operations/access-operations.module';
import { AccessRequestModule } from './access-request/access-request.module';
import { BadgeModule } from './badge/badge.module';
import { CopiedFilesModule } from './copied-files/copied-files.module';
import { CustomAttributeModule } from './custom-attribute/operations/custom-attribute.module';
import { ErrorTrackingModule } from './error-tracking/error-tracking.module';
import { ForkModule } from './fork/fork.module';
import { GroupModule } from './group/group.module';
import { GroupArchiveModule } from './group-archive/group-archive.module';
import { InstanceModule } from './instance/instance.module';
import { InvitationModule } from './invitation/invitation.module';
import { JobTokenScopeOperationsModule } from './job-token-scope/operations/job-token-scope-operations.module';
import { MemberOperationsModule } from './member/operations/member-operations.module';
import { NamespaceOperationsModule } from './namespace/operations/namespace-operations.module';
import { NotificationOperationsModule } from './notification/operations/notification-operations.module';
import { ProjectOperationsModule } from './project/operations/project-operations.module';
import { ProjectArchiveModule } from './project-archive/project-archive.module';
import { RemovalModule } from './removal/removal.module';
import { ShareOperationsModule } from './share/operations/share-operations.module';
import { StarModule } from './star/operations/star.module';
import { TopicModule } from './topic/operations/topic.module';
import { TransferModule } from './transfer/transfer.module';
import { UploadModule } from './upload/operations/upload.module';

/** Groups, projects, members and the settings of the instance. */
@Module({
  imports: [
    UsersModule,
    AccessOperationsModule,
    AccessRequestModule,
    BadgeModule,
    CopiedFilesModule,
    CustomAttributeModule,
    ErrorTrackingModule,
    ForkModule,
    GroupArchiveModule,
    GroupModule,
    InstanceModule,
    JobTokenScopeOperationsModule,
    InvitationModule,
    MemberOperationsModule,
    NamespaceOperationsModule,
    NotificationOperationsModule,
    ProjectArchiveModule,
    ProjectOperationsModule,
    RemovalModule,
    ShareOperationsModule,
    StarModule,
    TopicModule,
    TransferModule,
    UploadModule,
  ],
})
export class ProjectsModule {}
