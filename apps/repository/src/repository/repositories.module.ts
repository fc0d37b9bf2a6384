import { Module } from '@nestjs/common';
import { CopiesModule } from '../copies/copies.module';
import { OutboundModule } from '../outbound/outbound.module';
import { ProtectionModule } from '../protection/protection.module';
import { PushRuleModule } from '../push-rule/push-rule.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { StorageMoveModule } from '../storage-move/storage-move.module';
import { DeletedProjects } from './deleted-projects';
import { ImportLfsObjects } from './import-lfs-objects';
import { RepositoryImports } from './import-repository';
import { ReceiveBundle } from './receive-bundle';
import { RepositoryOperations } from './repository.operations';

/** Repositories are created and removed with their projects, which read their state. */
@Module({
  imports: [
    CopiesModule,
    OutboundModule,
    ProtectionModule,
    PushRuleModule,
    RecordModule,
    StorageModule,
    StorageMoveModule,
  ],
  controllers: [ReceiveBundle, RepositoryOperations],
  providers: [DeletedProjects, ImportLfsObjects, RepositoryImports],
})
export class RepositoriesModule {}
