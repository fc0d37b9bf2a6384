import { Module } from '@nestjs/common';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { GroupAttributes, ProjectAttributes } from './custom-attribute.operations';

/** Custom attributes of projects and groups. */
@Module({
  imports: [NamespaceModule, ProjectModule],
  controllers: [GroupAttributes, ProjectAttributes],
})
export class CustomAttributeModule {}
