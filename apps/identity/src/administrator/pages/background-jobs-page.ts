import { type ContextOf, type ParsedOf, type Reply, retryBackgroundJob, showBackgroundJobs } from '@moothall/contracts';
import { AllQueues, type FailedJob, type QueueCount } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type Html, html } from '../../page/html';
import { notice, renderPage } from '../../page/layout';
import { csrfField, navigationFor, nothingHere } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';

const path = '/admin/background_jobs';

/** Limit of shown jobs; the API lists all of them. */
const mostShown = 50;

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
        ? this.page(visit, notice(`A job of ${retried.queue} will be retried.`, 'success'))
        : this.page(visit, notice('That job is no longer a failed job.'));
    });
    return this.signedIn.take(context, path, csrf, take);
  }

  private async page(visit: Visit, message?: Html): Promise<Reply<string>> {
    const [counts, setAside] = await Promise.all([this.queues.counts(), this.queues.setAside()]);
    return renderPage({
      title: 'Background jobs',
      headers: visit.headers,
      navigation: navigationFor(visit),
      body: html`${message}
<h2>Failed jobs</h2>
<p>These jobs crashed their process twice. They are not retried automatically: retry them after the cause is fixed.</p>
${setAside.length === 0 && html`<p>None.</p>`}${setAside.slice(0, mostShown).map((one) => setAsideRecord(visit, one))}
${setAside.length > mostShown && html`<p>And ${setAside.length - mostShown} earlier ones.</p>`}
<h2>Queues</h2>
<ul>${counts.map(queueLine)}</ul>`,
    });
  }
}

/** Other users get the page for missing addresses. */
const forAdministrators =
  (show: (visit: Visit) => Promise<Reply<string>>) =>
  async (visit: Visit, user: User): Promise<Reply<string>> =>
    user.isAdmin ? show(visit) : nothingHere(visit, path);

const setAsideRecord = (visit: Visit, { id, queue, reason, setAsideAt }: FailedJob): Html =>
  html`<section class="record"><h3>${queue}</h3>
<p><code>${id}</code></p>
<p>${reason} ${setAsideAt && html`<time datetime="${setAsideAt.toISOString()}">${setAsideAt.toUTCString()}</time>`}</p>
<form method="post" action="${path}">${csrfField(visit)}<input type="hidden" name="job" value="${id}">
<button class="quiet" aria-label="Retry ${id}">Retry</button></form></section>`;

const queueLine = ({ queue, jobs }: QueueCount): Html =>
  html`<li><strong>${queue}</strong>: ${jobs.waiting} waiting, ${jobs.active} active, ${jobs.delayed} delayed${jobs.set_aside > 0 && html`, ${jobs.set_aside} failed`}</li>`;
