import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CountNewMembers } from '../group-activity/count-new-members';
import { ImageModule } from '../image/image.module';
import { InstanceModule } from '../instance/instance.module';
import { MoveBelow } from '../move/move-below';
import { MoveNamespace } from '../move/move-namespace';
import { NamespaceModule } from '../namespace/namespace.module';
import { ProjectModule } from '../project/project.module';
import { CreateGroup } from './create-group';
import { DeleteGroup } from './delete-group';
import { EndGroup } from './end-group';
import { GroupViews } from './group.view';
import { GroupChoices } from './group-choices';
import { GroupParents } from './group-parents';
import { ListGroupChoices } from './list-group-choices';
import { ListGroups } from './list-groups';
import { ReadGroup } from './read-group';
import { RemoveGroup } from './remove-group';
import { UpdateGroup } from './update-group';
import { WriteGroup } from './write-group';

/** Groups, and moves of groups with everything below. */
@Module({
  imports: [AccessModule, ImageModule, InstanceModule, NamespaceModule, ProjectModule],
  controllers: [CountNewMembers, CreateGroup, DeleteGroup, ListGroupChoices, ListGroups, ReadGroup, UpdateGroup],
  providers: [EndGroup, GroupChoices, GroupParents, GroupViews, MoveBelow, MoveNamespace, RemoveGroup, WriteGroup],
  exports: [EndGroup, GroupChoices, GroupParents, GroupViews, MoveBelow, MoveNamespace, WriteGroup],
})
export class GroupModule {}
