import { Module } from '@nestjs/common';
import { Journal } from './journal';
import { RecordIds } from './record-ids';

/** What changes leave behind, and the ids of what is made often. */
@Module({
  providers: [Journal, RecordIds],
  exports: [Journal, RecordIds],
})
export class JournalModule {}
