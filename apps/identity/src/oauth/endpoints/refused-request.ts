import type { Reply } from '@moothall/contracts';
import type { Application } from '../../application/application.schema';
import { html, named } from '../../page/html';
import { renderPage } from '../../page/layout';

/** The error page for a request whose application or redirect URI is unknown, so that only the user gets an answer. */
export const refusedRequest = (status: number, text: string, application?: Application): Reply<string> =>
  renderPage({
    title: 'This application cannot be authorized',
    status,
    body: html`<p>${text}</p>
<p>${application ? html`<strong>${named(application.name)}</strong>` : 'The application that sent you here'} is not configured
correctly, and got no access. Go back to it, and send this message to its operator.</p>
<p><a href="/">Go to the start page</a>, or see <a href="/-/profile/applications">which applications use your
account</a>.</p>`,
  });
