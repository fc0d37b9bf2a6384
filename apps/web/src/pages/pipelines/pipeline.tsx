import { getPipeline, listPipelineJobs, type OutputOf, type ProjectRef, retryPipeline } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf } from '../../parts/paging';
import { Day, Duration } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import { PipelineActions, pipelineForms } from './run-actions';

type Pipeline = OutputOf<typeof getPipeline>;
type Job = OutputOf<typeof listPipelineJobs>['items'][number];

const jobsPerPage = 100;

/** A pipeline with its jobs. */
export const pipelinePage: ProjectPage = {
  at: ['/pipelines/:id', '/pipelines/:id/builds'],
  async show(visit, project, address) {
    const pipelineId = numberIn(address, 'id');
    const asked = { id: String(project.id), pipeline_id: pipelineId };
    const [pipeline, jobs, mayRun] = await Promise.all([
      visit.ask(getPipeline, asked),
      visit.ask(listPipelineJobs, { ...asked, page: pageOf(address), per_page: jobsPerPage }),
      visit.may(retryPipeline, project),
    ]);
    return inProject(visit, project, {
      title: `Pipeline #${pipelineId}`,
      body: (
        <>
          <Facts project={project} pipeline={pipeline} />
          {mayRun && <PipelineActions visit={visit} address={address} pipeline={pipeline} />}
          {pipeline.yaml_errors && <pre>{pipeline.yaml_errors}</pre>}
          <Stages jobs={jobs.items} />
          <Paging address={address} shown={jobs.items.length} full={jobsPerPage} />
        </>
      ),
    });
  },
  forms: pipelineForms,
};

const Facts = ({ project, pipeline }: { project: ProjectRef; pipeline: Pipeline }) => (
  <ul class="facts">
    <li class="tag">{pipeline.status}</li>
    {pipeline.name && (
      <li>
        <Named>{pipeline.name}</Named>
      </li>
    )}
    <li>
      <Named>{pipeline.ref}</Named>{' '}
      <a href={below(project, 'commit', pipeline.sha)}>
        <code>{pipeline.sha.slice(0, 8)}</code>
      </a>
    </li>
    {pipeline.user && (
      <li>
        By <UserLink user={pipeline.user} />
      </li>
    )}
    <li>
      <Day at={pipeline.created_at} />
    </li>
    {pipeline.duration !== null && (
      <li>
        <Duration seconds={pipeline.duration} />
      </li>
    )}
    {pipeline.coverage !== null && <li>Coverage {pipeline.coverage} %</li>}
  </ul>
);

/** In the order in which they run. */
const Stages = ({ jobs }: { jobs: readonly Job[] }) => {
  const oldestFirst = jobs.toSorted((one, other) => one.id - other.id);
  const stages = [...new Set(oldestFirst.map(({ stage }) => stage))];
  return (
    <>
      {stages.map((stage) => (
        <section key={stage}>
          <h2>
            <Named>{stage}</Named>
          </h2>
          <ul class="list files">
            {oldestFirst
              .filter((job) => job.stage === stage)
              .map(({ id, name, status, allow_failure, duration, web_url }) => (
                <li key={id}>
                  <a href={pathOf(web_url)}>
                    <Named>{name}</Named>
                  </a>
                  <span class="tag after">{status}</span>
                  {allow_failure && <span class="tag after">may fail</span>}{' '}
                  {duration !== null && <Duration seconds={duration} />}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
};
