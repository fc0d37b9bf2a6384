import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { FilesModule } from '../../files/files.module';
import { ImageModule } from '../../image/image.module';
import { AvatarOperations } from '../../image/operations/avatars.operations';
import { InstanceModule } from '../../instance/instance.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../project.module';
import { ApplicationStatistics } from './application-statistics';
import { ArchiveProject } from './archive-project';
import { CleanupPolicies } from './cleanup-policies.operations';
import { CountRecords } from './count-records';
import { CreateProject } from './create-project';
import { DeleteProject } from './delete-project';
import { FollowIssues } from './follow-issues';
import { FollowPushes } from './follow-pushes';
import { ListProjects } from './list-projects';
import { ProjectFacts } from './project-facts.operations';
import { ProjectRepositoryOperations } from './project-repository.operations';
import { ReadProject } from './read-project';
import { SearchProjects } from './search-projects';
import { SetStorage } from './set-storage';
import { UpdateProject } from './update-project';

/** Operations on projects. */
@Module({
  imports: [AccessModule, FilesModule, ImageModule, InstanceModule, NamespaceModule, ProjectModule],
  controllers: [
    ApplicationStatistics,
    ArchiveProject,
    AvatarOperations,
    CleanupPolicies,
    CountRecords,
    CreateProject,
    DeleteProject,
    ListProjects,
    ProjectFacts,
    ProjectRepositoryOperations,
    ReadProject,
    SearchProjects,
    SetStorage,
    UpdateProject,
  ],
  providers: [FollowIssues, FollowPushes],
})
export class ProjectOperationsModule {}
