import { listPipelines, type OutputOf, type Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Day } from '../../parts/time';

type Pipeline = OutputOf<typeof listPipelines>['items'][number];

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
          {items.length === 0 && <p class="dim">There are no pipelines.</p>}
          <ul class="list">
            {items.map((pipeline) => (
              <li key={pipeline.id}>
                <PipelineItem project={project} pipeline={pipeline} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};

const PipelineItem = ({ project, pipeline }: { project: Project; pipeline: Pipeline }) => {
  const { id, status, name, ref, sha, source, created_at, web_url } = pipeline;
  return (
    <>
      <p>
        <a href={pathOf(web_url)}>Pipeline #{id}</a>
        {name && (
          <>
            {' '}
            <Named>{name}</Named>
          </>
        )}
        <span class="tag after">{status}</span>
      </p>
      <p class="dim">
        <Named>{ref}</Named>{' '}
        <a href={below(project, 'commit', sha)}>
          <code>{sha.slice(0, 8)}</code>
        </a>
        , by {source.replaceAll('_', ' ')}, <Day at={created_at} />
      </p>
    </>
  );
};
