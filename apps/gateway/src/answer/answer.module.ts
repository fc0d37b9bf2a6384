import { Module } from '@nestjs/common';
import { ResourcePages } from './resource-pages';

/** Pages that are shown if there is no other answer. */
@Module({
  providers: [ResourcePages],
  exports: [ResourcePages],
})
export class AnswerModule {}
