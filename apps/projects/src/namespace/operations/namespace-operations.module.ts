import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { GroupModule } from '../../group/group.module';
import { ProjectModule } from '../../project/project.module';
import { NamespaceModule } from '../namespace.module';
import { ClaimUserPath } from './claim-user-path';
import { FollowUsers } from './follow-users';
import { NamespacesOperations } from './namespaces.operations';

/** Operations on namespaces, and consumers of user events. */
@Module({
  imports: [AccessModule, GroupModule, NamespaceModule, ProjectModule],
  controllers: [ClaimUserPath, NamespacesOperations],
  providers: [FollowUsers],
})
export class NamespaceOperationsModule {}
