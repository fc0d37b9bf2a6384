import type { Caller } from '@moothall/contracts';
import { AccountNavigation, withReturn } from '@moothall/pages';
import type { Address, Content, Moved } from '../page/page';
import type { Visit } from '../visit/visits';

/** A page for signed-in users; visitors sign in first. */
export const forUser = async (
  { caller }: Visit,
  address: Address,
  show: (caller: Caller) => Promise<Content | Moved>,
): Promise<Content | Moved> => (caller ? show(caller) : { movedTo: withReturn('/users/sign_in', address.path) });

/** A page of the settings of the signed-in user. */
export const inAccount = (
  visit: Visit,
  address: Address,
  show: (caller: Caller) => Promise<Content | Moved>,
): Promise<Content | Moved> =>
  forUser(visit, address, async (caller) => ({
    width: 'wide',
    navigation: <AccountNavigation />,
    ...(await show(caller)),
  }));
