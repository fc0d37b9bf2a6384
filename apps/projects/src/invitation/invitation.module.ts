import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessModule } from '../access/access.module';
import { MailModule } from '../mail/mail.module';
import { MemberOperationsModule } from '../member/operations/member-operations.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { ProjectModule } from '../project/project.module';
import { AcceptInvitations } from './accept-invitations';
import { GroupInvitations, ProjectInvitations } from './invitation.operations';
import { Invitations } from './invitation.repository';
import { invitationSchema } from './invitation.schema';

/** Invitations by email address. */
@Module({
  imports: [
    AccessModule,
    MailModule,
    MemberOperationsModule,
    NamespaceModule,
    ProjectModule,
    MongooseModule.forFeature([{ name: 'Invitation', schema: invitationSchema }]),
  ],
  controllers: [GroupInvitations, ProjectInvitations],
  providers: [AcceptInvitations, Invitations],
  exports: [Invitations],
})
export class InvitationModule {}
