import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { InstanceModule } from '../instance/instance.module';
import { ArchivedPeople } from './archived-people';
import { RemoteArchives } from './remote-archives';

/** Shared code of group and project archives. */
@Module({
  imports: [AccessModule, InstanceModule],
  providers: [ArchivedPeople, RemoteArchives],
  exports: [ArchivedPeople, RemoteArchives],
})
export class ArchiveModule {}
