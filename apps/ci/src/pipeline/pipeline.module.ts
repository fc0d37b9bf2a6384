import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PipelineFiles } from '../pipeline-file/pipeline-files';
import { TraceModule } from '../trace/trace.module';
import { ChangePipeline } from './change-pipeline';
import { CreatePipeline } from './create-pipeline';
import { Ids } from './ids';
import { Pipelines } from './pipeline.repository';
import { pipelineSchema } from './pipeline.schema';
import { PipelineViews } from './pipeline.view';
import { PipelineInsertion } from './pipeline-insertion';
import { PipelineMaker } from './pipeline-maker';
import { ReadPipelines } from './read-pipelines';
import { RefRights } from './ref-rights';

/** Pipelines with the jobs that are in them. */
@Module({
  imports: [TraceModule, MongooseModule.forFeature([{ name: 'Pipeline', schema: pipelineSchema }])],
  controllers: [ReadPipelines, CreatePipeline, ChangePipeline],
  providers: [Ids, PipelineFiles, PipelineInsertion, PipelineMaker, PipelineViews, Pipelines, RefRights],
  exports: [MongooseModule, PipelineInsertion, PipelineMaker, PipelineViews, Pipelines, RefRights],
})
export class PipelineModule {}
