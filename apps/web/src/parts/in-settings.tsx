import type { GroupRef, ProjectRef } from '@moothall/contracts';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { inGroup } from './in-group';
import { inProject } from './in-project';
import { Links, openParts, type Part } from './navigation';
import { groupSettingsParts, settingsParts } from './settings-parts';

/** A page of the settings of a project, with links to its other settings. */
export const inSettings = async (visit: Visit, project: ProjectRef, content: Content): Promise<Content> =>
  withLinks(visit, project, settingsParts, await inProject(visit, project, content));

/** The same of a group. */
export const inGroupSettings = async (visit: Visit, group: GroupRef, content: Content): Promise<Content> =>
  withLinks(visit, group, groupSettingsParts, await inGroup(visit, group, content));

async function withLinks<T extends { id: number }>(
  visit: Visit,
  of: T,
  parts: readonly Part<T>[],
  page: Content,
): Promise<Content> {
  return {
    ...page,
    navigation: (
      <>
        {page.navigation}
        <nav class="parts" aria-label="Settings">
          <Links to={await openParts(visit, of, parts)} />
        </nav>
      </>
    ),
  };
}
