import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { GroupModule } from '../../group/group.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { JobTokenScopeModule } from '../job-token-scope.module';
import { JobTokenScopeOperations } from './job-token-scope.operations';

/** Operations on job token scopes. */
@Module({
  imports: [AccessModule, GroupModule, JobTokenScopeModule, NamespaceModule, ProjectModule],
  controllers: [JobTokenScopeOperations],
})
export class JobTokenScopeOperationsModule {}
