import { Module } from '@nestjs/common';
import { Journal } from './journal';

/** What changes leave behind. */
@Module({
  providers: [Journal],
  exports: [Journal],
})
export class JournalModule {}
