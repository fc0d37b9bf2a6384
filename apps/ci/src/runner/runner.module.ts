import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Runners } from './runner.repository';
import { registrationSchema, runnerSchema } from './runner.schema';
import { RunnerProjects } from './runner-projects';

/** Runners, and the tokens that register them. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Runner', schema: runnerSchema },
      { name: 'Registration', schema: registrationSchema },
    ]),
  ],
  providers: [Runners, RunnerProjects],
  exports: [Runners, RunnerProjects],
})
export class RunnerModule {}
