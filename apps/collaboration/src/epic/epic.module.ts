import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { IssuableModule } from '../issuable/issuable.module';
import { IssueLinkModule } from '../issue-link/issue-link.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { ParentModule } from '../parent/parent.module';
import { ChildEpicOperations } from './child-epic.operations';
import { Epics } from './epic.repository';
import { epicSchema } from './epic.schema';
import { EpicAttributes } from './epic-attributes';
import { EpicDates } from './epic-dates';
import { EpicHierarchy } from './epic-hierarchy';
import { EpicKind } from './epic-kind';
import { EpicLinkOperations } from './epic-link.operations';
import { EpicReferences } from './epic-references';
import { EpicViews } from './epic-views';
import { OpenEpic } from './open-epic';
import { PlaceEpic } from './place-epic';
import { ReadEpics } from './read-epics';
import { RemoveEpics } from './remove-epics';
import { WriteEpic } from './write-epic';

const collections = MongooseModule.forFeature([{ name: 'Epic', schema: epicSchema }]);

@Module({
  imports: [collections, ActivityModule, IssuableModule, IssueLinkModule, LabelModule, MilestoneModule, ParentModule],
  providers: [
    EpicAttributes,
    EpicDates,
    EpicHierarchy,
    EpicKind,
    EpicReferences,
    Epics,
    EpicViews,
    OpenEpic,
    PlaceEpic,
    RemoveEpics,
  ],
  controllers: [ChildEpicOperations, EpicLinkOperations, ReadEpics, WriteEpic],
  exports: [collections, EpicKind, EpicReferences, Epics, EpicViews, RemoveEpics],
})
export class EpicModule {}
