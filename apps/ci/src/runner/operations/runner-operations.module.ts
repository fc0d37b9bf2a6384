import { Module } from '@nestjs/common';
import { JobModule } from '../../job/job.module';
import { RunnerModule } from '../runner.module';
import { ManageRunners } from './manage-runners';
import { RegisterRunner } from './register-runner';

/** Operations of runners. */
@Module({
  imports: [JobModule, RunnerModule],
  controllers: [RegisterRunner, ManageRunners],
})
export class RunnerOperationsModule {}
