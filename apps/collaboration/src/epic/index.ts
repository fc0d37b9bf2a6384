import { Epics } from './epic.repository';
import { EpicAttributes } from './epic-attributes';
import { EpicAwards } from './epic-awards';
import { EpicDates } from './epic-dates';
import { EpicDiscussions } from './epic-discussions';
import { EpicIssues } from './epic-issues';
import { EpicKind } from './epic-kind';
import { EpicLabelEvents } from './epic-label-events';
import { EpicNoteable } from './epic-noteable';
import { EpicNotes } from './epic-notes';
import { EpicViews } from './epic-views';
import { ReadEpics } from './read-epics';
import { RemoveEpics } from './remove-epics';
import { WriteEpic } from './write-epic';

export const epicProviders = [EpicAttributes, EpicDates, Epics, EpicKind, EpicNoteable, EpicViews, RemoveEpics];
export const epicControllers = [
  ReadEpics,
  WriteEpic,
  EpicIssues,
  EpicNotes,
  EpicAwards,
  EpicDiscussions,
  EpicLabelEvents,
];
