import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ChangeJob } from './job/change-job';
import { JobViews } from './job/job.view';
import { JobList } from './job/job-list';
import { ReadJobs } from './job/read-jobs';
import { ChangePipeline } from './pipeline/change-pipeline';
import { CreatePipeline } from './pipeline/create-pipeline';
import { Ids } from './pipeline/ids';
import { Pipelines } from './pipeline/pipeline.repository';
import { pipelineSchema } from './pipeline/pipeline.schema';
import { PipelineViews } from './pipeline/pipeline.view';
import { PipelineInsertion } from './pipeline/pipeline-insertion';
import { PipelineMaker } from './pipeline/pipeline-maker';
import { ReadPipelines } from './pipeline/read-pipelines';
import { RefRights } from './pipeline/ref-rights';
import { PipelineFiles } from './pipeline-file/pipeline-files';
import { ManageRunners } from './runner/operations/manage-runners';
import { RegisterRunner } from './runner/operations/register-runner';
import { Runners } from './runner/runner.repository';
import { registrationSchema, runnerSchema } from './runner/runner.schema';
import { RunnerProjects } from './runner/runner-projects';
import { AppendTrace } from './runner-job/append-trace';
import { GiveUpJobs } from './runner-job/give-up-jobs';
import { JobPayloads } from './runner-job/job-payload';
import { JobTokens } from './runner-job/job-tokens.operations';
import { ReportJob } from './runner-job/report-job';
import { RequestJob } from './runner-job/request-job';
import { RunningJob } from './runner-job/running-job';
import { ChangeSchedule } from './schedule/change-schedule';
import { CreateSchedule } from './schedule/create-schedule';
import { PlaySchedule } from './schedule/play-schedule';
import { ReadSchedules } from './schedule/read-schedules';
import { Schedules } from './schedule/schedule.repository';
import { scheduleSchema } from './schedule/schedule.schema';
import { ScheduleViews } from './schedule/schedule.view';
import { ScheduleVariables } from './schedule/schedule-variables.operations';
import { Traces } from './trace/trace.repository';
import { traceChunkSchema } from './trace/trace.schema';
import { FollowOwners } from './trigger/follow-owners';
import { QueueDueSchedules } from './trigger/queue-due-schedules';
import { RunSchedule } from './trigger/run-schedule';
import { ScheduleOwner } from './trigger/schedule-owner';

/** Pipeline schedules, pipelines, their jobs, and the runners that do them. */
@Module({
  imports: [
    UsersModule,
    MongooseModule.forFeature([
      { name: 'PipelineSchedule', schema: scheduleSchema },
      { name: 'Pipeline', schema: pipelineSchema },
      { name: 'TraceChunk', schema: traceChunkSchema },
      { name: 'Runner', schema: runnerSchema },
      { name: 'Registration', schema: registrationSchema },
    ]),
  ],
  controllers: [
    ReadSchedules,
    CreateSchedule,
    ChangeSchedule,
    PlaySchedule,
    ScheduleVariables,
    ReadPipelines,
    CreatePipeline,
    ChangePipeline,
    ReadJobs,
    ChangeJob,
    RegisterRunner,
    ManageRunners,
    RequestJob,
    ReportJob,
    AppendTrace,
    JobTokens,
  ],
  providers: [
    Schedules,
    ScheduleViews,
    Ids,
    PipelineInsertion,
    Pipelines,
    PipelineViews,
    PipelineFiles,
    PipelineMaker,
    RefRights,
    JobList,
    JobViews,
    Traces,
    Runners,
    RunnerProjects,
    RunningJob,
    JobPayloads,
    ScheduleOwner,
    QueueDueSchedules,
    RunSchedule,
    FollowOwners,
    GiveUpJobs,
  ],
})
export class CiModule {}
