import {
  deleteArtifacts,
  getJob,
  getJobTrace,
  keepArtifacts,
  type OutputOf,
  type ProjectRef,
  readJobLogEnd,
  retryJob,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectFile, ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { CodeBlock } from '../../parts/code-block';
import { inProject } from '../../parts/in-project';
import { Lines, mostLines } from '../../parts/lines';
import { logText } from '../../parts/log-text';
import { numberIn } from '../../parts/number-in';
import { Day, Duration } from '../../parts/time';
import { artifactForms, JobArtifacts } from './job-artifacts';
import { isUnfinished, JobActions, jobForms } from './run-actions';

type Job = OutputOf<typeof getJob>;

const logBytes = 128 * 1024;

/** Seconds between two views of a log that is followed. */
const followSeconds = 3;
const followedLines = 30;

/** A job with the end of its log, which says why it failed. */
export const jobPage: ProjectPage = {
  at: '/jobs/:id',
  async show(visit, project, address) {
    const jobId = numberIn(address, 'id');
    const asked = { id: String(project.id), job_id: jobId };
    const [job, log, mayRun, keeps, deletes] = await Promise.all([
      visit.ask(getJob, asked),
      visit.ask(readJobLogEnd, { ...asked, bytes: logBytes }),
      visit.may(retryJob, project),
      visit.may(keepArtifacts, project),
      visit.may(deleteArtifacts, project),
    ]);
    const path = below(project, `jobs/${jobId}`);
    const follows = isUnfinished(job) && address.query.has('follow');
    return inProject(visit, project, {
      headers: follows ? { refresh: String(followSeconds) } : undefined,
      title: `Job ${job.name} (#${jobId})`,
      heading: (
        <>
          Job <Named>{job.name}</Named> <span class="dim">#{jobId}</span>
        </>
      ),
      body: (
        <>
          <Facts project={project} job={job} />
          {mayRun && <JobActions visit={visit} address={address} job={job} />}
          <JobArtifacts {...{ visit, project, address, job, keeps, deletes }} />
          <h2>Log</h2>
          {isUnfinished(job) && <FollowLink path={path} follows={follows} />}
          {log.text === '' ? (
            <p class="dim">There is no log.</p>
          ) : (
            <Log {...log} follows={follows} rawPath={`${path}/raw`} />
          )}
        </>
      ),
    });
  },
  forms: { ...jobForms, ...artifactForms },
};

/** Without scripts: while the log is followed, the browser loads the page again and again. */
const FollowLink = ({ path, follows }: { path: string; follows: boolean }) =>
  follows ? (
    <p class="dim">
      The page is loaded again every {followSeconds} seconds. <a href={path}>Stop</a>
    </p>
  ) : (
    <p class="dim">
      The job is not finished. <a href={`${path}?follow=1`}>Follow the log</a>
    </p>
  );

interface LogProps {
  text: string;
  is_whole: boolean;
  /** Whether only the last lines are shown, so that the newest one is in sight. */
  follows: boolean;
  rawPath: string;
}

const Log = ({ text, is_whole, follows, rawPath }: LogProps) => {
  const lines = logText(text).split('\n');
  const most = follows ? followedLines : mostLines;
  const isWhole = is_whole && lines.length <= most;
  return (
    <>
      <p>
        {!isWhole && 'This is the end of the log. '}
        <a href={rawPath}>Whole log</a>
      </p>
      {isWhole ? (
        <Lines label="Log" text={lines.join('\n')} />
      ) : (
        // The numbers of these lines are not known.
        <CodeBlock label="Log">
          <span>{lines.slice(-most).join('\n')}</span>
        </CodeBlock>
      )}
    </>
  );
};

/** The log as the runner sent it. */
export const jobLogFile: ProjectFile = {
  at: '/jobs/:id/raw',
  async open(visit, id, address) {
    return visit.ask(getJobTrace, { id, job_id: numberIn(address, 'id') });
  },
};

const Facts = ({ project, job }: { project: ProjectRef; job: Job }) => (
  <ul class="facts">
    <li class="tag">{job.status}</li>
    {job.failure_reason && <li>Failure: {job.failure_reason.replaceAll('_', ' ')}</li>}
    {job.allow_failure && <li class="tag">may fail</li>}
    <li>
      Stage <Named>{job.stage}</Named>
    </li>
    <li>
      <a href={pathOf(job.pipeline.web_url)}>Pipeline #{job.pipeline.id}</a>
    </li>
    {job.commit && (
      <li>
        <a href={below(project, 'commit', job.commit.id)}>
          <code>{job.commit.id.slice(0, 8)}</code>
        </a>
      </li>
    )}
    {job.started_at && (
      <li>
        <Day at={job.started_at} />
      </li>
    )}
    {job.duration !== null && (
      <li>
        <Duration seconds={job.duration} />
      </li>
    )}
    {job.runner && (
      <li>
        Runner <Named>{job.runner.description}</Named>
      </li>
    )}
  </ul>
);
