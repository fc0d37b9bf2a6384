import { Module } from '@nestjs/common';
import { Journal } from './journal';

/** The write-ahead journal for the records and events of a change. */
@Module({
  providers: [Journal],
  exports: [Journal],
})
export class JournalModule {}
