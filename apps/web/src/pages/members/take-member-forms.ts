import { invalidRecord, listUsers } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { TakeForm } from '../../page/page';
import type { Visit } from '../../visit/visits';
import { memberValues, sentMember } from './member-fields';
import type { MembersOf } from './member-operations';

/** Takes the forms of members. */
export const memberForms = <T extends { id: number }>({
  operations,
  pathIn,
}: MembersOf<T>): Readonly<Record<string, TakeForm<T>>> => ({
  'add-member': async (visit, parent, _address, sent) => {
    const user_id = await findUserId(visit, sent.text('username'));
    await visit.submit(operations.add, { id: String(parent.id), user_id, ...sentMember(sent) });
    return pathIn(parent);
  },
  'change-member': async (visit, parent, _address, sent) => {
    const asked = { id: String(parent.id), user_id: sent.text('of') };
    const current = memberValues(await visit.submit(operations.get, asked));
    const changes = changesOf(sent, sentMember(sent), current);
    const { access_level } = current;
    await visit.submitChanges(operations.update, { ...asked, access_level }, changes);
    return pathIn(parent);
  },
  'remove-member': async (visit, parent, _address, sent) => {
    await visit.submit(operations.remove, { id: String(parent.id), user_id: sent.text('of') });
    return pathIn(parent);
  },
  leave: async (visit, parent) => {
    await visit.submit(operations.remove, { id: String(parent.id), user_id: visit.caller?.id });
    // The user may not see this page after that.
    return '/';
  },
});

/** @param typed with or without `@` @throws common.invalid_record if there is no such user */
async function findUserId(visit: Visit, typed: string): Promise<number> {
  const username = typed.trim().replace(/^@/, '');
  const { items } = username === '' ? { items: [] } : await visit.ask(listUsers, { username });
  const [user] = items;
  if (!user) throw invalidRecord({ username: ['does not belong to a user'] });
  return user.id;
}
