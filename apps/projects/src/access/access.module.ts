import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Members } from '../member/member.repository';
import { memberSchema } from '../member/member.schema';
import { memberRoleSchema } from '../member/member-role.schema';
import { MemberRoles } from '../member/member-roles';
import { NamespaceModule } from '../namespace/namespace.module';
import { Shares } from '../share/share.repository';
import { shareSchema } from '../share/share.schema';
import { ShareViews } from '../share/share.view';
import { Grants } from './grants';

/** Stored members, roles and shares, and the access levels that follow from them. */
@Module({
  imports: [
    NamespaceModule,
    MongooseModule.forFeature([
      { name: 'Member', schema: memberSchema },
      { name: 'MemberRole', schema: memberRoleSchema },
      { name: 'Share', schema: shareSchema },
    ]),
  ],
  providers: [Grants, MemberRoles, Members, ShareViews, Shares],
  exports: [Grants, MemberRoles, Members, ShareViews, Shares],
})
export class AccessModule {}
