import { createUser } from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { SitePage } from '../../page/page';
import { FieldList, sentValues } from '../../parts/field-list';
import { Check, Form, SecretField } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { userPath } from './user-at';
import { nameFields, rightFields, sentPassword } from './user-fields';

const fields = [...nameFields, ...rightFields];

/** A form for a new user. */
export const newUserPage: SitePage = {
  at: '/admin/users/new',
  show: (visit, address) =>
    inAdmin(visit, address, async () => ({
      title: 'New user',
      body: (
        <Form visit={visit} address={address} name="new-user">
          <FieldList fields={nameFields} />
          <Check
            name="skip_confirmation"
            label="The email address is confirmed"
            hint="Otherwise the user gets an email to confirm it."
            value={false}
          />
          <SecretField
            name="secret_password"
            label="Password"
            hint="Leave it empty to send the user an email with a link to choose a password."
          />
          <FieldList fields={rightFields} />
          <button type="submit">Create user</button>
        </Form>
      ),
    })),
  forms: {
    'new-user': async (visit, _address, sent) => {
      const password = sentPassword(sent);
      const { username } = await visit.submit(createUser, {
        ...filled(sentValues(fields, sent)),
        ...('password' in password ? password : { reset_password: true }),
        skip_confirmation: sent.flag('skip_confirmation'),
      });
      return userPath(username);
    },
  },
};
