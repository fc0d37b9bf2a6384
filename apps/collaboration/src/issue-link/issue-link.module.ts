import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JournalModule } from '../journal/journal.module';
import { EpicLinks } from './epic-link.repository';
import { IssueLinks } from './issue-link.repository';
import { epicLinkSchema, issueLinkSchema } from './link.schema';

const collections = MongooseModule.forFeature([
  { name: 'EpicLink', schema: epicLinkSchema },
  { name: 'IssueLink', schema: issueLinkSchema },
]);

/** Links between issues, and links between epics. */
@Module({
  imports: [collections, JournalModule],
  providers: [EpicLinks, IssueLinks],
  exports: [collections, EpicLinks, IssueLinks],
})
export class IssueLinkModule {}
