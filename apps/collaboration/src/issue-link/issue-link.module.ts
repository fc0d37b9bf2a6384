import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JournalModule } from '../journal/journal.module';
import { IssueLinks } from './issue-link.repository';
import { issueLinkSchema } from './issue-link.schema';

const collections = MongooseModule.forFeature([{ name: 'IssueLink', schema: issueLinkSchema }]);

@Module({
  imports: [collections, JournalModule],
  providers: [IssueLinks],
  exports: [IssueLinks],
})
export class IssueLinkModule {}
