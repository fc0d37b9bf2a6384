import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { GroupModule } from '../../group/group.module';
import { NamespaceModule } from '../../namespace/namespace.module';
import { ProjectModule } from '../../project/project.module';
import { EndShares } from './end-shares';
import { PublishSharing } from './publish-sharing';
import { ShareWithGroup } from './share-with-group';

/** Operations on shares. */
@Module({
  imports: [AccessModule, GroupModule, NamespaceModule, ProjectModule],
  controllers: [ShareWithGroup],
  providers: [PublishSharing, EndShares],
})
export class ShareOperationsModule {}
