import { Module } from '@nestjs/common';
import { CopiesModule } from '../copies/copies.module';
import { ProtectionModule } from '../protection/protection.module';
import { PushModule } from '../push/push.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { BranchOperations } from './branch/branch.operations';
import { ChangelogOperations } from './changelog/changelog.operations';
import { CiPathOperations } from './ci/ci-paths.operations';
import { CiSourceOperations } from './ci/ci-source.operations';
import { CommitOperations } from './commit/commit.operations';
import { LastPipelines } from './commit/last-pipeline';
import { ArchiveOperations } from './content/archive.operations';
import { BlobOperations } from './content/blob.operations';
import { CompareOperations } from './content/compare.operations';
import { Forks } from './content/forks';
import { PatchOperations } from './content/patch.operations';
import { PathOperations } from './content/path.operations';
import { SnapshotOperations } from './content/snapshot.operations';
import { TreeOperations } from './content/tree.operations';
import { FileOperations } from './file/file.operations';
import { LineOperations } from './file/lines.operations';
import { SubmoduleOperations } from './file/submodule.operations';
import { ProjectSearch } from './search/project-search.operations';
import { SearchAcross } from './search/search-across.operations';
import { SearchBlobs } from './search/search-blobs';
import { SearchEach } from './search/search-each';
import { TagOperations } from './tag/tag.operations';

/** Reads and writes of branches, tags, commits and files. */
@Module({
  imports: [CopiesModule, ProtectionModule, PushModule, RecordModule, StorageModule],
  controllers: [
    ProjectSearch,
    SearchAcross,
    ArchiveOperations,
    BlobOperations,
    BranchOperations,
    ChangelogOperations,
    CiPathOperations,
    CiSourceOperations,
    CommitOperations,
    CompareOperations,
    FileOperations,
    LineOperations,
    PatchOperations,
    PathOperations,
    SnapshotOperations,
    SubmoduleOperations,
    TagOperations,
    TreeOperations,
  ],
  providers: [SearchBlobs, SearchEach, Forks, LastPipelines],
})
export class CodeModule {}
