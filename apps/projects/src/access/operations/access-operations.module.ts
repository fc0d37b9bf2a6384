import { Module } from '@nestjs/common';
import { JobTokenScopeModule } from '../../job-token-scope/job-token-scope.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { AccessModule } from '../access.module';
import { AccessOperations } from './access.operations';

/** Access queries of the gateway and other services. */
@Module({
  imports: [AccessModule, JobTokenScopeModule, NamespaceModule, ProjectModule],
  controllers: [AccessOperations],
})
export class AccessOperationsModule {}
