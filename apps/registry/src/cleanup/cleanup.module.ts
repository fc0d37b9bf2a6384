import { Module } from '@nestjs/common';
import { BulkDeletionModule } from '../bulk-deletion/bulk-deletion.module';
import { RepositoryModule } from '../repository/repository.module';
import { RunCleanupPolicies } from './run-cleanup-policies';

/** Policies of projects: deletions in bulk that come again and again. */
@Module({ imports: [BulkDeletionModule, RepositoryModule], providers: [RunCleanupPolicies] })
export class CleanupModule {}
