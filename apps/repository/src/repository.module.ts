import { Module } from '@nestjs/common';
import { BranchOperations } from './branch/branch.operations';
import { CiSourceOperations } from './ci/ci-source.operations';
import { CommitOperations } from './commit/commit.operations';
import { ArchiveOperations } from './content/archive.operations';
import { BlobOperations } from './content/blob.operations';
import { CompareOperations } from './content/compare.operations';
import { TreeOperations } from './content/tree.operations';
import { FileOperations } from './file/file.operations';
import { CodeWriter } from './repository/code-writer';
import { RepositoryImports } from './repository/import-repository';
import { PushEvents } from './repository/push-events';
import { DeletedProjects, RepositoryOperations } from './repository/repository.operations';
import { Storages } from './storage/storages';
import { TagOperations } from './tag/tag.operations';
import { GitExchangeOperations } from './transport/git-exchange.operations';

@Module({
  controllers: [
    ArchiveOperations,
    BlobOperations,
    BranchOperations,
    CiSourceOperations,
    CommitOperations,
    CompareOperations,
    FileOperations,
    GitExchangeOperations,
    RepositoryOperations,
    TagOperations,
    TreeOperations,
  ],
  providers: [CodeWriter, DeletedProjects, PushEvents, RepositoryImports, Storages],
})
export class RepositoryModule {}
