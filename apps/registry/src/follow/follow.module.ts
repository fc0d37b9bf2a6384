import { Module } from '@nestjs/common';
import { BulkDeletionModule } from '../bulk-deletion/bulk-deletion.module';
import { ProtectionModule } from '../protection/protection.module';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RemovalModule } from '../removal/removal.module';
import { RepositoryModule } from '../repository/repository.module';
import { TagModule } from '../tag/tag.module';
import { FollowProjects } from './follow-projects';
import { FollowPushes } from './follow-pushes';
import { QueuePending } from './queue-pending';
import { TakeRegistryEvents } from './take-registry-events';

/** Consumes registry notifications and events of projects, and resumes interrupted work. */
@Module({
  imports: [BulkDeletionModule, ProtectionModule, RegistryClientModule, RemovalModule, RepositoryModule, TagModule],
  controllers: [TakeRegistryEvents],
  providers: [FollowProjects, FollowPushes, QueuePending],
})
export class FollowModule {}
