import { Module } from '@nestjs/common';
import { ProjectModule } from '../project/project.module';
import { ForkProject } from './fork-project';
import { ForkRelations } from './fork-relations.operations';
import { Forks } from './forks';

/** Forks of projects. */
@Module({
  imports: [ProjectModule],
  controllers: [ForkProject, ForkRelations],
  providers: [Forks],
  exports: [Forks],
})
export class ForkModule {}
