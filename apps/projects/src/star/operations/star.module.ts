import { Module } from '@nestjs/common';
import { ProjectModule } from '../../project/project.module';
import { ForgetStars } from './forget-stars';
import { StarProject } from './star-project';

/** Stars on projects. */
@Module({
  imports: [ProjectModule],
  controllers: [StarProject],
  providers: [ForgetStars],
  exports: [ForgetStars],
})
export class StarModule {}
