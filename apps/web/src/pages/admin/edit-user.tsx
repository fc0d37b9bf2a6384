import { updateUser } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { changesIn, FieldList, valuesOf } from '../../parts/field-list';
import { Check, Form, SecretField, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { savedAt } from '../../parts/saved';
import { userAt, userPath } from './user-at';
import { sentPassword, userFields, withParameters } from './user-fields';

/** A form for what administrators change of a user. */
export const editUserPage: SitePage = {
  at: '/admin/users/:username/edit',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const user = await userAt(visit, address);
      const values = valuesOf(userFields, withParameters(user));
      return {
        title: `Edit user ${user.username}`,
        heading: (
          <>
            Edit user <Named>{user.name}</Named>
          </>
        ),
        body: (
          <Form visit={visit} address={address} name="user">
            <Was values={values} />
            <FieldList fields={userFields} values={values} />
            <Check
              name="skip_reconfirmation"
              label="A new email address is confirmed"
              hint="Otherwise the address changes after the user has confirmed it."
              value={false}
            />
            <SecretField
              name="secret_password"
              label="New password"
              hint="Leave it empty to keep the password. A new password ends all sessions, and the user must change it after the next sign-in."
            />
            <button type="submit">Save</button>
          </Form>
        ),
      };
    }),
  forms: {
    user: async (visit, address, sent) => {
      const user = await userAt(visit, address);
      const changes = changesIn(userFields, sent, withParameters(user));
      await visit.submitChanges(
        updateUser,
        { id: user.id, skip_reconfirmation: sent.flag('skip_reconfirmation') },
        { ...changes, ...sentPassword(sent) },
      );
      return savedAt(userPath(changes.username ?? user.username));
    },
  },
};
