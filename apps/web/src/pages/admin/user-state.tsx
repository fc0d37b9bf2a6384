import {
  activateUser,
  banUser,
  blockUser,
  deactivateUser,
  type Operation,
  unbanUser,
  unblockUser,
} from '@moothall/contracts';
import type { Address, TakeSiteForm } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Action } from '../../parts/form';
import { savedAt } from '../../parts/saved';
import type { Visit } from '../../visit/visits';
import { type AdminUser, userAt, userPath } from './user-at';

/** A change of the state of a user. */
interface StateChange {
  operation: Operation;
  word: string;
  /** States in which it makes sense. */
  from: readonly string[];
  /** Of a change that takes access away. */
  consequence?: string;
}

const changes: Readonly<Record<string, StateChange>> = {
  block: {
    operation: blockUser,
    word: 'Block user',
    from: ['active', 'deactivated'],
    consequence: 'The user cannot sign in, and no credential of the user works.',
  },
  unblock: { operation: unblockUser, word: 'Unblock user', from: ['blocked'] },
  deactivate: {
    operation: deactivateUser,
    word: 'Deactivate user',
    from: ['active'],
    consequence:
      'Only users who were not active recently can be deactivated. The next sign-in activates the user again.',
  },
  activate: { operation: activateUser, word: 'Activate user', from: ['deactivated'] },
  ban: {
    operation: banUser,
    word: 'Ban user',
    from: ['active'],
    consequence: 'The user cannot sign in, and no credential of the user works, until an administrator lifts the ban.',
  },
  unban: { operation: unbanUser, word: 'Lift the ban', from: ['banned'] },
};

/** Buttons for the changes that make sense in the state of the user. */
export const StateActions = ({ user, ...form }: { visit: Visit; address: Address; user: AdminUser }) => (
  <>
    {Object.entries(changes)
      .filter(([, { from }]) => from.includes(user.state))
      .map(([name, { word, consequence }]) =>
        consequence === undefined ? (
          <Action key={name} {...form} name={name} word={word} />
        ) : (
          <ConfirmedAction key={name} {...form} name={name} word={word} consequence={consequence} />
        ),
      )}
  </>
);

const formOf =
  (operation: Operation): TakeSiteForm =>
  async (visit, address) => {
    const { id, username } = await userAt(visit, address);
    await visit.submit(operation, { id });
    return savedAt(userPath(username));
  };

export const stateForms: Readonly<Record<string, TakeSiteForm>> = Object.fromEntries(
  Object.entries(changes).map(([name, { operation }]) => [name, formOf(operation)]),
);
