import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Traces } from './trace.repository';
import { traceChunkSchema } from './trace.schema';

/** Logs of jobs. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'TraceChunk', schema: traceChunkSchema }])],
  providers: [Traces],
  exports: [Traces],
})
export class TraceModule {}
