import { Module } from '@nestjs/common';
import { BulkDeletionModule } from '../bulk-deletion/bulk-deletion.module';
import { RepositoryModule } from '../repository/repository.module';
import { RunCleanupPolicies } from './run-cleanup-policies';

/** Cleanup policies of projects: periodic bulk deletions. */
@Module({ imports: [BulkDeletionModule, RepositoryModule], providers: [RunCleanupPolicies] })
export class CleanupModule {}
