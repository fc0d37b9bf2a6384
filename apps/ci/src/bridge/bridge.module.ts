import { Module } from '@nestjs/common';
import { JobModule } from '../job/job.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RunnerModule } from '../runner/runner.module';
import { TriggerModule } from '../trigger/trigger.module';
import { VariableModule } from '../variable/variable.module';
import { FollowBridges } from './follow-bridges';
import { ListBridges } from './list-bridges';
import { MakeDownstream } from './make-downstream';

/** Jobs that trigger pipelines instead of running a script. */
@Module({
  imports: [JobModule, PipelineModule, RunnerModule, TriggerModule, VariableModule],
  controllers: [ListBridges],
  providers: [FollowBridges, MakeDownstream],
})
export class BridgeModule {}
