import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { GroupModule } from '../group/group.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { ProjectModule } from '../project/project.module';
import { TransferGroup } from './transfer-group';
import { TransferProject } from './transfer-project';

/** Transfers of groups and projects. */
@Module({
  imports: [AccessModule, GroupModule, NamespaceModule, ProjectModule],
  controllers: [TransferGroup, TransferProject],
})
export class TransferModule {}
