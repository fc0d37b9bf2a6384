import { endOwnSession, listOwnSessions } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { Action } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';

const path = '/-/user_settings/active_sessions';

/** The browsers in which the user is signed in. */
export const sessionsPage: SitePage = {
  at: [path, '/-/profile/active_sessions'],
  show: (visit, address) =>
    inAccount(visit, address, async () => {
      const { items } = await visit.ask(listOwnSessions, { page: pageOf(address), per_page: perPage });
      return {
        title: 'Sessions',
        body: (
          <>
            <p>These browsers are signed in to your account.</p>
            {items.map(({ id, ip, user_agent, created_at, expires_at }) => (
              <section key={id} class="record">
                <h2>
                  <Named>{ip}</Named> {id === visit.session && <span class="tag">this browser</span>}
                </h2>
                <p>
                  <Named>{shortened(user_agent)}</Named>
                </p>
                <ul class="facts">
                  <li>
                    Since <Day at={created_at} />
                  </li>
                  <li>
                    Until <Day at={expires_at} />
                  </li>
                </ul>
                {id !== visit.session && (
                  <Action visit={visit} address={address} name="end" of={id} word="Sign out there" look="quiet" />
                )}
              </section>
            ))}
            <Paging address={address} shown={items.length} />
          </>
        ),
      };
    }),
  forms: {
    end: async (visit, _address, sent) => {
      await visit.submit(endOwnSession, { id: sent.text('of') });
      return path;
    },
  },
};
