import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module';
import { ImageModule } from '../../image/image.module';
import { ProjectModule } from '../../project/project.module';
import { Topics } from './topics.operations';

/** Topics of projects. */
@Module({
  imports: [FilesModule, ImageModule, ProjectModule],
  controllers: [Topics],
})
export class TopicModule {}
