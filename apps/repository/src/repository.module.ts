import { OutboundPolicies } from '@moothall/outbound';
import { settingsToken, standBy } from '@moothall/service';
import { Module } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { BranchOperations } from './branch/branch.operations';
import { CiSourceOperations } from './ci/ci-source.operations';
import { CommitOperations } from './commit/commit.operations';
import { LastPipelines } from './commit/last-pipeline';
import { ArchiveOperations } from './content/archive.operations';
import { BlobOperations } from './content/blob.operations';
import { CompareOperations } from './content/compare.operations';
import { Forks } from './content/forks';
import { TreeOperations } from './content/tree.operations';
import { FileOperations } from './file/file.operations';
import { CheckOperations } from './maintenance/check.operations';
import { MaintainRepositories } from './maintenance/maintain-repositories';
import { MaintenanceOperations } from './maintenance/maintenance.operations';
import { MergeOperations } from './merge/merge.operations';
import { MergeSides } from './merge/merge-sides';
import { PerformMerge } from './merge/perform-merge';
import { RebaseBranch } from './merge/rebase-branch';
import { MirrorPushes } from './mirror/mirror-pushes';
import { RemoteMirrorOperations } from './mirror/remote-mirror.operations';
import { RemoteMirrors } from './mirror/remote-mirror.repository';
import { remoteMirrorSchema } from './mirror/remote-mirror.schema';
import { GitOutbound } from './outbound/git-outbound';
import { DefaultProtection } from './protection/protect-default';
import { ProtectedBranchOperations } from './protection/protected-branch.operations';
import { ProtectedRefs } from './protection/protected-ref.repository';
import { protectedRefSchema } from './protection/protected-ref.schema';
import { ProtectedTagOperations } from './protection/protected-tag.operations';
import { PushRulebook } from './protection/push-rules';
import { PushAnnouncer } from './push/announce-push';
import { PushIntents } from './push/push-intent.repository';
import { pushIntentSchema } from './push/push-intent.schema';
import { PushJournal } from './push/push-journal';
import { RepositoryCopies } from './repository/bring-objects';
import { CodeWriter } from './repository/code-writer';
import { CopyOperations } from './repository/copy.operations';
import { DeletedProjects } from './repository/deleted-projects';
import { RepositoryImports } from './repository/import-repository';
import { RepositoryOperations } from './repository/repository.operations';
import { Repositories } from './repository/repository.repository';
import { repositorySchema } from './repository/repository.schema';
import type { RepositorySettings } from './settings';
import { StorageHolding } from './storage/storage-holding';
import { Storages, storageFolders } from './storage/storages';
import { WriteGate } from './storage/write-gate';
import { LeftStorage, RepositoryMover } from './storage-move/move-repository';
import { storageSchema } from './storage-move/storage.schema';
import { StorageMoveOperations } from './storage-move/storage-move.operations';
import { StorageMoves } from './storage-move/storage-move.repository';
import { storageMoveSchema } from './storage-move/storage-move.schema';
import { TagOperations } from './tag/tag.operations';
import { ProjectTemplates } from './template/project-templates';
import { TemplateOperations } from './template/template.operations';
import { FairReads } from './transport/fair-reads';
import { GitExchangeOperations } from './transport/git-exchange.operations';
import { WikiOperations } from './wiki/wiki.operations';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'ProtectedRef', schema: protectedRefSchema },
      { name: 'PushIntent', schema: pushIntentSchema },
      { name: 'RemoteMirror', schema: remoteMirrorSchema },
      { name: 'Repository', schema: repositorySchema },
      { name: 'Storage', schema: storageSchema },
      { name: 'StorageMove', schema: storageMoveSchema },
    ]),
  ],
  controllers: [
    ArchiveOperations,
    BlobOperations,
    BranchOperations,
    CheckOperations,
    CiSourceOperations,
    CommitOperations,
    MaintenanceOperations,
    CompareOperations,
    CopyOperations,
    FileOperations,
    GitExchangeOperations,
    LeftStorage,
    MergeOperations,
    PerformMerge,
    ProtectedBranchOperations,
    ProtectedTagOperations,
    RebaseBranch,
    RemoteMirrorOperations,
    RepositoryOperations,
    StorageMoveOperations,
    TagOperations,
    TemplateOperations,
    TreeOperations,
    WikiOperations,
  ],
  providers: [
    CodeWriter,
    DefaultProtection,
    DeletedProjects,
    FairReads,
    Forks,
    GitOutbound,
    LastPipelines,
    MaintainRepositories,
    MergeSides,
    MirrorPushes,
    OutboundPolicies,
    ProjectTemplates,
    ProtectedRefs,
    PushAnnouncer,
    PushIntents,
    PushJournal,
    PushRulebook,
    RemoteMirrors,
    Repositories,
    RepositoryCopies,
    RepositoryImports,
    RepositoryMover,
    StorageMoves,
    {
      provide: StorageHolding,
      inject: [getConnectionToken(), settingsToken, standBy],
      useFactory: (connection: Connection, { GIT_STORAGES }: RepositorySettings, onWaiting: () => void) =>
        StorageHolding.take(connection, storageFolders(GIT_STORAGES), onWaiting),
    },
    Storages,
    WriteGate,
  ],
})
export class RepositoryModule {}
