import { Module } from '@nestjs/common';
import { AnswerModule } from '../answer/answer.module';
import { HomeController } from './home.controller';

/** The start page. */
@Module({
  imports: [AnswerModule],
  controllers: [HomeController],
})
export class HomeModule {}
