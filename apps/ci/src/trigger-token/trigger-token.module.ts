import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PipelineModule } from '../pipeline/pipeline.module';
import { TriggerModule } from '../trigger/trigger.module';
import { FollowTriggerOwners } from './follow-trigger-owners';
import { ManageTriggers } from './manage-triggers';
import { RunTrigger } from './run-trigger';
import { triggerTokenSchema } from './trigger-token.schema';
import { TriggerTokens } from './trigger-tokens';

/** Tokens with which other systems run pipelines. */
@Module({
  imports: [
    PipelineModule,
    TriggerModule,
    MongooseModule.forFeature([{ name: 'TriggerToken', schema: triggerTokenSchema }]),
  ],
  controllers: [ManageTriggers, RunTrigger],
  providers: [FollowTriggerOwners, TriggerTokens],
})
export class TriggerTokenModule {}
