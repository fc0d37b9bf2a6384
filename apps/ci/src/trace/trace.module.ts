import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Traces } from './trace.repository';
import { traceChunkSchema } from './trace.schema';

/** What runners report of jobs while they run. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'TraceChunk', schema: traceChunkSchema }])],
  providers: [Traces],
  exports: [Traces],
})
export class TraceModule {}
