import { createPipeline, listPipelines } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { PipelineList } from '../../parts/pipeline-list';

/** The pipelines of a project, newest first; of a branch with `?ref=`. */
export const pipelinesPage: ProjectPage = {
  at: '/pipelines',
  async show(visit, project, address) {
    const ref = address.query.get('ref');
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage, ...(ref && { ref }) };
    const { items } = await visit.ask(listPipelines, asked);
    return inProject(visit, project, {
      title: 'Pipelines',
      body: (
        <>
          <nav class="parts" aria-label="Pipelines">
            <a href={below(project, 'pipeline_schedules')}>Schedules</a>
            {(await visit.may(createPipeline, project)) && <a href={below(project, 'pipelines/new')}>Run a pipeline</a>}
          </nav>
          <PipelineList project={project} pipelines={items} none="There are no pipelines." />
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};
