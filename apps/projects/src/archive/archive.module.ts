import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { ArchivedPeople } from './archived-people';

/** What archives of groups and projects share. */
@Module({ imports: [AccessModule], providers: [ArchivedPeople], exports: [ArchivedPeople] })
export class ArchiveModule {}
