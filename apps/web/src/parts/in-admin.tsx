import { commonErrors } from '@moothall/contracts';
import { AdminNavigation } from '@moothall/pages';
import type { Address, Content, Moved } from '../page/page';
import type { Visit } from '../visit/visits';
import { forUser } from './in-account';

/** A page for administrators. Visitors sign in first; for other users it does not exist. */
export const inAdmin = (
  visit: Visit,
  address: Address,
  show: () => Promise<Content | Moved>,
): Promise<Content | Moved> =>
  forUser(visit, address, async ({ isAdmin }) => {
    if (!isAdmin) throw commonErrors.notFound();
    const shown = await show();
    return 'movedTo' in shown ? shown : { width: 'wide', navigation: <AdminNavigation />, ...shown };
  });
