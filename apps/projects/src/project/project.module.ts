import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessModule } from '../access/access.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { NotificationModule } from '../notification/notification.module';
import { Stars } from '../star/star.repository';
import { starSchema } from '../star/star.schema';
import { topicSchema } from '../topic/topic.schema';
import { uploadSchema } from '../upload/upload.schema';
import { KnownRepository } from './known-repository';
import { OpenIssues } from './open-issues';
import { PlaceProject } from './place-project';
import { Projects } from './project.repository';
import { projectSchema } from './project.schema';
import { ProjectViews } from './project.view';
import { ProjectLists } from './project-lists';
import { ProjectNamespaces } from './project-namespaces';
import { ProjectStatisticsReader } from './project-statistics';
import { ProjectTopics } from './project-topics';
import { RemoveProject } from './remove-project';
import { RenameProject } from './rename-project';
import { StoredCounts } from './stored-counts';
import { WriteProject } from './write-project';

/** Storage and views of projects, and their counts. */
@Module({
  imports: [
    AccessModule,
    NamespaceModule,
    NotificationModule,
    MongooseModule.forFeature([
      { name: 'Project', schema: projectSchema },
      { name: 'Star', schema: starSchema },
      { name: 'Topic', schema: topicSchema },
      { name: 'Upload', schema: uploadSchema },
    ]),
  ],
  providers: [
    StoredCounts,
    KnownRepository,
    OpenIssues,
    PlaceProject,
    ProjectLists,
    ProjectNamespaces,
    ProjectStatisticsReader,
    ProjectTopics,
    ProjectViews,
    Projects,
    RemoveProject,
    RenameProject,
    Stars,
    WriteProject,
  ],
  exports: [
    StoredCounts,
    KnownRepository,
    OpenIssues,
    MongooseModule,
    PlaceProject,
    ProjectLists,
    ProjectNamespaces,
    ProjectStatisticsReader,
    ProjectTopics,
    ProjectViews,
    Projects,
    RemoveProject,
    RenameProject,
    Stars,
    WriteProject,
  ],
})
export class ProjectModule {}
