import { Module } from '@nestjs/common';
import { CodeModule } from './code/code.module';
import { MaintenanceModule } from './maintenance/maintenance.module';
import { MergeModule } from './merge/merge.module';
import { MirrorModule } from './mirror/mirror.module';
import { ProtectionModule } from './protection/protection.module';
import { PushRuleModule } from './push-rule/push-rule.module';
import { ReplicaModule } from './replica/replica.module';
import { RepositoriesModule } from './repository/repositories.module';
import { StorageMoveModule } from './storage-move/storage-move.module';
import { TemplateModule } from './template/template.module';
import { TransportModule } from './transport/transport.module';
import { WikiModule } from './wiki/wiki.module';

/** The modules that answer operations; each imports those it uses (docs/architecture-folders.md). */
@Module({
  imports: [
    CodeModule,
    MaintenanceModule,
    MergeModule,
    MirrorModule,
    ProtectionModule,
    PushRuleModule,
    ReplicaModule,
    RepositoriesModule,
    StorageMoveModule,
    TemplateModule,
    TransportModule,
    WikiModule,
  ],
})
export class RepositoryModule {}
