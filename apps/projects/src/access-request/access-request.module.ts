import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessModule } from '../access/access.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { NotificationModule } from '../notification/notification.module';
import { ProjectModule } from '../project/project.module';
import { AccessRequests } from './access-request.repository';
import { accessRequestSchema } from './access-request.schema';
import { ApproveAccessRequest } from './approve-access-request';
import { DenyAccessRequest } from './deny-access-request';
import { ListAccessRequests } from './list-access-requests';
import { RequestAccess } from './request-access';

/** Requests to become a member. */
@Module({
  imports: [
    AccessModule,
    NamespaceModule,
    NotificationModule,
    ProjectModule,
    MongooseModule.forFeature([{ name: 'AccessRequest', schema: accessRequestSchema }]),
  ],
  controllers: [ApproveAccessRequest, DenyAccessRequest, ListAccessRequests, RequestAccess],
  providers: [AccessRequests],
  exports: [AccessRequests],
})
export class AccessRequestModule {}
