import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { AddMember } from './add-member';
import { EndMemberships } from './end-memberships';
import { ImportMembers } from './import-members';
import { InheritedLevels } from './inherited-levels';
import { ListMembers } from './list-members';
import { ListMemberships } from './list-memberships';
import { RemoveMember } from './remove-member';
import { UpdateMember } from './update-member';

/** What is done with members. */
@Module({
  imports: [AccessModule, NamespaceModule, ProjectModule],
  controllers: [AddMember, ImportMembers, ListMembers, ListMemberships, RemoveMember, UpdateMember],
  providers: [EndMemberships, InheritedLevels],
  exports: [InheritedLevels],
})
export class MemberOperationsModule {}
