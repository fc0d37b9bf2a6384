import { type ContextOf, type ParsedOf, type Reply, retryBackgroundJob, showBackgroundJobs } from '@moothall/contracts';
import { AllQueues, type FailedJob, type QueueCount } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { AdminNavigation, CsrfField, Notice } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { nothingHere, renderFor } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';

const path = '/admin/background_jobs';

/** Limit of shown jobs; the API lists all of them. */
const mostShown = 50;

/** The result of a retry. */
interface Outcome {
  problem?: string;
  success?: string;
}

/** Shows the queues of all services to administrators. */
@Controller()
export class BackgroundJobsPage {
  constructor(
    private readonly signedIn: SignedIn,
    private readonly queues: AllQueues,
  ) {}

  @Handles(showBackgroundJobs)
  show(context: ContextOf<typeof showBackgroundJobs>): Promise<Reply<string>> {
    return this.signedIn.show(
      context,
      path,
      forAdministrators((visit) => this.page(visit)),
    );
  }

  @Handles(retryBackgroundJob)
  retry(
    context: ContextOf<typeof retryBackgroundJob>,
    { csrf, job = '' }: ParsedOf<typeof retryBackgroundJob>,
  ): Promise<Reply<string>> {
    const take = forAdministrators(async (visit) => {
      const retried = await this.queues.retry(job);
      return retried
        ? this.page(visit, { success: `A job of ${retried.queue} will be retried.` })
        : this.page(visit, { problem: 'That job is no longer a failed job.' });
    });
    return this.signedIn.take(context, path, csrf, take);
  }

  private async page(visit: Visit, { problem, success }: Outcome = {}): Promise<Reply<string>> {
    const [counts, setAside] = await Promise.all([this.queues.counts(), this.queues.setAside()]);
    return renderFor(visit, {
      title: 'Background jobs',
      navigation: <AdminNavigation />,
      body: (
        <>
          <Notice>{problem}</Notice>
          <Notice kind="success">{success}</Notice>
          <h2>Failed jobs</h2>
          <FailedJobs csrf={visit.csrf} jobs={setAside} />
          <h2>Queues</h2>
          <ul>
            {counts.map((count) => (
              <QueueLine {...count} />
            ))}
          </ul>
        </>
      ),
    });
  }
}

/** Other users get the page for missing addresses. */
const forAdministrators =
  (show: (visit: Visit) => Promise<Reply<string>>) =>
  async (visit: Visit, user: User): Promise<Reply<string>> =>
    user.isAdmin ? show(visit) : nothingHere(visit);

const FailedJobs = ({ csrf, jobs }: { csrf: string; jobs: FailedJob[] }) => (
  <>
    <p>
      These jobs crashed their process twice. They are not retried automatically: retry them after the cause is fixed.
    </p>
    {jobs.length === 0 && <p>None.</p>}
    {jobs.slice(0, mostShown).map((job) => (
      <FailedJobRecord csrf={csrf} {...job} />
    ))}
    {jobs.length > mostShown && <p>And {jobs.length - mostShown} earlier ones.</p>}
  </>
);

const FailedJobRecord = ({ csrf, id, queue, reason, setAsideAt }: { csrf: string } & FailedJob) => (
  <section class="record">
    <h3>{queue}</h3>
    <p>
      <code>{id}</code>
    </p>
    <p>
      {reason} {setAsideAt && <time datetime={setAsideAt.toISOString()}>{setAsideAt.toUTCString()}</time>}
    </p>
    <form method="post" action={path}>
      <CsrfField csrf={csrf} />
      <input type="hidden" name="job" value={id} />
      <button type="submit" class="quiet" aria-label={`Retry ${id}`}>
        Retry
      </button>
    </form>
  </section>
);

const QueueLine = ({ queue, jobs }: QueueCount) => (
  <li>
    <strong>{queue}</strong>: {jobs.waiting} waiting, {jobs.active} active, {jobs.delayed} delayed
    {jobs.set_aside > 0 && `, ${jobs.set_aside} failed`}
  </li>
);
