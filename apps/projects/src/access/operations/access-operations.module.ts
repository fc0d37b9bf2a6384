import { Module } from '@nestjs/common';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { AccessModule } from '../access.module';
import { AccessOperations } from './access.operations';

/** What gateway and services ask about access. */
@Module({
  imports: [AccessModule, NamespaceModule, ProjectModule],
  controllers: [AccessOperations],
})
export class AccessOperationsModule {}
