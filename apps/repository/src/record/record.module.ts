import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Repositories } from './repository.repository';
import { repositorySchema } from './repository.schema';

/** What is known of a repository besides what git knows. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Repository', schema: repositorySchema }])],
  providers: [Repositories],
  exports: [Repositories],
})
export class RecordModule {}
