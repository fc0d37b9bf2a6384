import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { AddMember } from './add-member';
import { BillableMembers } from './billable-members.operations';
import { CountedMembers } from './counted-members';
import { EndMemberships } from './end-memberships';
import { GrantRoles } from './grant-roles';
import { ImportMembers } from './import-members';
import { InheritedLevels } from './inherited-levels';
import { ListMembers } from './list-members';
import { ListMemberships } from './list-memberships';
import { MemberRoleOperations } from './member-roles.operations';
import { RemoveMember } from './remove-member';
import { UpdateMember } from './update-member';

/** Operations on members. */
@Module({
  imports: [AccessModule, NamespaceModule, ProjectModule],
  controllers: [
    AddMember,
    BillableMembers,
    ImportMembers,
    ListMembers,
    ListMemberships,
    MemberRoleOperations,
    RemoveMember,
    UpdateMember,
  ],
  providers: [CountedMembers, EndMemberships, GrantRoles, InheritedLevels],
  exports: [InheritedLevels],
})
export class MemberOperationsModule {}
