import type { GroupRef, ProjectRef } from '@moothall/contracts';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { below, belowGroup } from './code-address';
import { inGroupSettings, inSettings } from './in-settings';

/** The settings of a project or a group, whose pages are the same but for their operations. */
export interface SettingsOf<T> {
  kind: 'project' | 'group';
  /** The path of a page below `/-`. */
  pathIn(parent: T, page: string): string;
  /** A page of the settings, with links to the other ones. */
  within(visit: Visit, parent: T, content: Content): Promise<Content>;
}

export const settingsOfProject: SettingsOf<ProjectRef> = { kind: 'project', pathIn: below, within: inSettings };
export const settingsOfGroup: SettingsOf<GroupRef> = { kind: 'group', pathIn: belowGroup, within: inGroupSettings };
