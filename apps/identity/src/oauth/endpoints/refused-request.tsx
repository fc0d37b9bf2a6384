import type { Reply } from '@moothall/contracts';
import { Named, renderPage } from '@moothall/pages';
import type { Application } from '../../application/application.schema';

/** The error page for a request whose application or redirect URI is unknown, so that only the user gets an answer. */
export const refusedRequest = (status: number, text: string, application?: Application): Reply<string> =>
  renderPage({
    title: 'This application cannot be authorized',
    status,
    body: (
      <>
        <p>{text}</p>
        <p>
          <Sender application={application} /> is not configured correctly, and got no access. Go back to it, and send
          this message to its operator.
        </p>
        <p>
          <a href="/">Go to the start page</a>, or see{' '}
          <a href="/-/profile/applications">which applications use your account</a>.
        </p>
      </>
    ),
  });

const Sender = ({ application }: { application: Application | undefined }) =>
  application ? (
    <strong>
      <Named>{application.name}</Named>
    </strong>
  ) : (
    'The application that sent you here'
  );
