import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessOperations } from './access/access.operations';
import { Grants } from './access/grants';
import { CreateGroup } from './group/create-group';
import { DeleteGroup, RemoveGroup } from './group/delete-group';
import { ForgetGroup } from './group/forget-group';
import { GroupViews } from './group/group.view';
import { ListGroups } from './group/list-groups';
import { ReadGroup } from './group/read-group';
import { UpdateGroup } from './group/update-group';
import { WriteGroup } from './group/write-group';
import { AddMember } from './member/add-member';
import { InheritedLevels } from './member/inherited-levels';
import { ListMembers } from './member/list-members';
import { Members } from './member/member.repository';
import { memberSchema } from './member/member.schema';
import { RemoveMember } from './member/remove-member';
import { UpdateMember } from './member/update-member';
import { ClearClaims } from './namespace/clear-claims';
import { FollowUsers } from './namespace/follow-users';
import { MoveNamespace } from './namespace/move-namespace';
import { Namespaces } from './namespace/namespace.repository';
import { namespaceSchema } from './namespace/namespace.schema';
import { NamespacesOperations } from './namespace/namespaces.operations';
import { routeSchema } from './namespace/route.schema';
import { Routes } from './namespace/routes';
import { UserNamespaces } from './namespace/user-namespaces';
import { CreateProject } from './project/create-project';
import { DeleteProject } from './project/delete-project';
import { FollowPushes } from './project/follow-pushes';
import { ForgetProject } from './project/forget-project';
import { ListProjects } from './project/list-projects';
import { Projects } from './project/project.repository';
import { projectSchema } from './project/project.schema';
import { ProjectViews } from './project/project.view';
import { ProjectPlaces } from './project/project-places';
import { ReadProject } from './project/read-project';
import { RemoveProject } from './project/remove-project';
import { UpdateProject } from './project/update-project';
import { WriteProject } from './project/write-project';
import { Shares } from './share/share.repository';
import { shareSchema } from './share/share.schema';
import { ShareViews } from './share/share.view';
import { Stars } from './star/star.repository';
import { starSchema } from './star/star.schema';

@Module({
  imports: [
    UsersModule,
    MongooseModule.forFeature([
      { name: 'Namespace', schema: namespaceSchema },
      { name: 'Route', schema: routeSchema },
      { name: 'Project', schema: projectSchema },
      { name: 'Member', schema: memberSchema },
      { name: 'Share', schema: shareSchema },
      { name: 'Star', schema: starSchema },
    ]),
  ],
  controllers: [
    AccessOperations,
    AddMember,
    CreateGroup,
    CreateProject,
    DeleteGroup,
    DeleteProject,
    ListGroups,
    ListMembers,
    ListProjects,
    NamespacesOperations,
    ReadGroup,
    ReadProject,
    RemoveMember,
    UpdateGroup,
    UpdateMember,
    UpdateProject,
  ],
  providers: [
    ClearClaims,
    FollowPushes,
    FollowUsers,
    ForgetGroup,
    ForgetProject,
    Grants,
    GroupViews,
    InheritedLevels,
    Members,
    MoveNamespace,
    Namespaces,
    ProjectPlaces,
    Projects,
    ProjectViews,
    RemoveGroup,
    RemoveProject,
    Routes,
    Shares,
    ShareViews,
    Stars,
    UserNamespaces,
    WriteGroup,
    WriteProject,
  ],
})
export class ProjectsModule {}
