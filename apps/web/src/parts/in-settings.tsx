import type { Project } from '@moothall/contracts';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { inProject } from './in-project';
import { Links, openParts } from './navigation';
import { settingsParts } from './settings-parts';

/** A page of the settings of a project, with links to its other settings. */
export async function inSettings(visit: Visit, project: Project, content: Content): Promise<Content> {
  const page = await inProject(visit, project, content);
  return {
    ...page,
    navigation: (
      <>
        {page.navigation}
        <nav class="parts" aria-label="Settings">
          <Links to={await openParts(visit, project, settingsParts)} />
        </nav>
      </>
    ),
  };
}
