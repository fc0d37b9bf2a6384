import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ArtifactModule } from '../artifact/artifact.module';
import { FreezePeriodModule } from '../freeze-period/freeze-period.module';
import { IncludedFileReader } from '../pipeline-file/included-files';
import { PathReader } from '../pipeline-file/path-reader';
import { PipelineFiles } from '../pipeline-file/pipeline-files';
import { ResourceGroupModule } from '../resource-group/resource-group.module';
import { TraceModule } from '../trace/trace.module';
import { VariableModule } from '../variable/variable.module';
import { ChangePipeline } from './change-pipeline';
import { CreatePipeline } from './create-pipeline';
import { JobPlaces } from './job-places';
import { LintPipelineFiles } from './lint';
import { ParentArtifacts } from './parent-artifacts';
import { Pipelines } from './pipeline.repository';
import { pipelineSchema } from './pipeline.schema';
import { PipelineViews } from './pipeline.view';
import { PipelineInsertion } from './pipeline-insertion';
import { PipelineMaker } from './pipeline-maker';
import { ReadPipelines } from './read-pipelines';
import { RedundantPipelines } from './redundant-pipelines';
import { RefRights } from './ref-rights';
import { RunPipeline } from './run-pipeline';

/** Pipelines with the jobs that are in them. */
@Module({
  imports: [
    ArtifactModule,
    FreezePeriodModule,
    ResourceGroupModule,
    TraceModule,
    VariableModule,
    MongooseModule.forFeature([{ name: 'Pipeline', schema: pipelineSchema }]),
  ],
  controllers: [ReadPipelines, CreatePipeline, ChangePipeline, LintPipelineFiles],
  providers: [
    IncludedFileReader,
    JobPlaces,
    OutboundPolicies,
    ParentArtifacts,
    PathReader,
    PipelineFiles,
    PipelineInsertion,
    PipelineMaker,
    PipelineViews,
    Pipelines,
    RedundantPipelines,
    RefRights,
    RunPipeline,
  ],
  exports: [MongooseModule, PipelineInsertion, PipelineMaker, PipelineViews, Pipelines, RefRights, RunPipeline],
})
export class PipelineModule {}
