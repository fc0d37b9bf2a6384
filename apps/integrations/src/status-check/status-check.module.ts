import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveryModule } from '../delivery/delivery.module';
import { EventsModule } from '../events/events.module';
import { CheckedBranches } from './checked-branches';
import { ExternalStatusCheckOperations } from './external-status-check.operations';
import { ForgetStatusChecks } from './forget-status-checks';
import { StatusCheckOperations } from './status-check.operations';
import { StatusChecks } from './status-check.repository';
import { statusCheckSchema } from './status-check.schema';
import { StatusCheckAnswers } from './status-check-answer.repository';
import { statusCheckAnswerSchema } from './status-check-answer.schema';
import { StatusCheckDeliveryHandler } from './status-check-delivery-handler';
import { StatusCheckSubscriber } from './status-check-subscriber';

/** External services that check merge requests. */
@Module({
  imports: [
    DeliveryModule,
    EventsModule,
    MongooseModule.forFeature([
      { name: 'StatusCheck', schema: statusCheckSchema },
      { name: 'StatusCheckAnswer', schema: statusCheckAnswerSchema },
    ]),
  ],
  controllers: [ExternalStatusCheckOperations, StatusCheckOperations],
  providers: [
    CheckedBranches,
    ForgetStatusChecks,
    OutboundPolicies,
    StatusCheckAnswers,
    StatusCheckDeliveryHandler,
    StatusChecks,
    StatusCheckSubscriber,
  ],
})
export class StatusCheckModule {}
