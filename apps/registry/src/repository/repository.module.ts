import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ContainerRepositories } from './container-repository.repository';
import { containerRepositorySchema } from './container-repository.schema';

/** Repositories of images, and whose they are. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ContainerRepository', schema: containerRepositorySchema }])],
  providers: [ContainerRepositories],
  exports: [ContainerRepositories],
})
export class RepositoryModule {}
