import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ContainerRepositories } from './container-repository.repository';
import { containerRepositorySchema } from './container-repository.schema';
import { ImageProjects } from './image-projects';

/** Image repositories and their owners. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ContainerRepository', schema: containerRepositorySchema }])],
  providers: [ContainerRepositories, ImageProjects],
  exports: [ContainerRepositories, ImageProjects],
})
export class RepositoryModule {}
