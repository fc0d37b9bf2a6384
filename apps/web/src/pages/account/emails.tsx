import { addOwnEmail, deleteOwnEmail, getCurrentUser, listOwnEmails } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { Action, Form, TextField } from '../../parts/form';
import { inAccount } from '../../parts/in-account';

const path = '/-/profile/emails';

/** The addresses of the signed-in user. */
export const emailsPage: SitePage = {
  at: path,
  show: (visit, address) =>
    inAccount(visit, address, async () => {
      const [{ email: primary }, { items }] = await Promise.all([
        visit.ask(getCurrentUser, {}),
        visit.ask(listOwnEmails, { per_page: 100 }),
      ]);
      return {
        title: 'Emails',
        body: (
          <>
            <p>Commits by these addresses are shown as yours.</p>
            <ul class="list">
              <li>
                <Named>{primary}</Named> <span class="tag">primary</span>
              </li>
              {items.map(({ id, email, confirmed_at }) => (
                <li key={id} class="parts">
                  <span>
                    <Named>{email}</Named> {!confirmed_at && <span class="tag">not confirmed</span>}
                  </span>
                  <Action
                    visit={visit}
                    address={address}
                    name="remove"
                    of={String(id)}
                    word={`Remove ${email}`}
                    look="quiet"
                  />
                </li>
              ))}
            </ul>
            <h2>Add an address</h2>
            <Form visit={visit} address={address} name="add">
              <TextField name="email" label="Email" hint="You get a mail with a link that confirms it." required />
              <button type="submit">Add address</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    add: async (visit, _address, sent) => {
      await visit.submit(addOwnEmail, { email: sent.text('email') });
      return path;
    },
    remove: async (visit, _address, sent) => {
      await visit.submit(deleteOwnEmail, { email_id: sent.text('of') });
      return path;
    },
  },
};
