import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ParentModule } from '../parent/parent.module';
import { ChangeIterations } from './change-iterations';
import { Iterations } from './iteration.repository';
import { cadenceSchema, iterationSchema } from './iteration.schema';
import { IterationReferences } from './iteration-references';
import { IterationViews } from './iteration-views';
import { ListIterations } from './list-iterations';

const collections = MongooseModule.forFeature([
  { name: 'Iteration', schema: iterationSchema },
  { name: 'IterationCadence', schema: cadenceSchema },
]);

@Module({
  imports: [collections, ParentModule],
  providers: [IterationReferences, Iterations, IterationViews],
  controllers: [ChangeIterations, ListIterations],
  exports: [collections, IterationReferences, Iterations, IterationViews],
})
export class IterationModule {}
