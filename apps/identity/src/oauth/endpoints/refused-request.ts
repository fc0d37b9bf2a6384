import type { Reply } from '@moothall/contracts';
import type { Application } from '../../application/application.schema';
import { html, named } from '../../page/html';
import { renderPage } from '../../page/layout';

/** A request that is answered to nobody but the user, since its application or where to answer is not known. */
export const refusedRequest = (status: number, text: string, application?: Application): Reply<string> =>
  renderPage({
    title: 'This application cannot be authorized',
    status,
    body: html`<p>${text}</p>
<p>${application ? html`<strong>${named(application.name)}</strong>` : 'The application that sent you here'} is not set up
rightly. Nothing was given to it. Go back to it and tell whoever runs it what stands above.</p>
<p><a href="/">Go to the start page</a>, or see <a href="/-/profile/applications">which applications use your
account</a>.</p>`,
  });
