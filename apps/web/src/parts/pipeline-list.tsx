import type { listPipelines, OutputOf, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { pathOf } from './address';
import { below } from './code-address';
import { Day } from './time';

type Pipeline = OutputOf<typeof listPipelines>['items'][number];

interface Props {
  project: ProjectRef;
  pipelines: readonly Pipeline[];
  /** What an empty list says. */
  none: string;
}

export const PipelineList = ({ project, pipelines, none }: Props) =>
  pipelines.length === 0 ? (
    <p class="dim">{none}</p>
  ) : (
    <ul class="list">
      {pipelines.map((pipeline) => (
        <li key={pipeline.id}>
          <PipelineItem project={project} pipeline={pipeline} />
        </li>
      ))}
    </ul>
  );

const PipelineItem = ({ project, pipeline }: { project: ProjectRef; pipeline: Pipeline }) => {
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
