import { addOwnKey, deleteOwnKey, listOwnKeys, type OutputOf } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Choice, DayField, Form, TextArea, TextField } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

type Key = OutputOf<typeof listOwnKeys>['items'][number];

const path = '/-/user_settings/ssh_keys';

const usages = [
  { value: 'auth_and_signing', label: 'Git over SSH, and signatures of commits' },
  { value: 'auth', label: 'Git over SSH' },
  { value: 'signing', label: 'Signatures of commits' },
];

/** The SSH keys of the signed-in user. */
export const sshKeysPage: SitePage = {
  at: [path, '/-/profile/keys'],
  show: (visit, address) =>
    inAccount(visit, address, async () => {
      const { items } = await visit.ask(listOwnKeys, { page: pageOf(address), per_page: perPage });
      return {
        title: 'SSH keys',
        body: (
          <>
            {items.length === 0 && <p class="dim">There are no SSH keys.</p>}
            {items.map((key) => (
              <KeyRecord key={key.id} visit={visit} address={address} record={key} />
            ))}
            <Paging address={address} shown={items.length} />
            <h2>Add an SSH key</h2>
            <Form visit={visit} address={address} name="new-key">
              <TextArea name="key" label="Key" hint="The public key, such as ~/.ssh/id_ed25519.pub" rows={4} required />
              <TextField name="title" label="Title" hint="Without a title, the comment of the key." />
              <Choice name="usage_type" label="Usage" options={usages} />
              <DayField name="expires_at" label="Expires on" hint="Without a day, the key does not expire." />
              <button type="submit">Add key</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    'new-key': async (visit, _address, sent) => {
      const [key, expires_at, usage_type] = [sent.text('key'), sent.text('expires_at'), sent.text('usage_type')];
      const title = sent.text('title') || commentOf(key);
      await visit.submit(addOwnKey, { title, key, usage_type, expires_at });
      return path;
    },
    delete: async (visit, _address, sent) => {
      await visit.submit(deleteOwnKey, { key_id: sent.text('of') });
      return path;
    },
  },
};

/** `ada@laptop` of `ssh-ed25519 AAAA… ada@laptop`. */
const commentOf = (key: string): string => key.trim().split(/\s+/).slice(2).join(' ').slice(0, 255);

const KeyRecord = ({ visit, address, record }: { visit: Visit; address: Address; record: Key }) => {
  const { id, title, key, usage_type, created_at, expires_at, last_used_at } = record;
  return (
    <section class="record">
      <h3>
        <Named>{title}</Named>
      </h3>
      <p>
        <code>{key.split(' ').slice(0, 2).join(' ')}</code>
      </p>
      <ul class="facts">
        <li>{usages.find(({ value }) => value === usage_type)?.label}</li>
        <li>
          Added on <Day at={created_at} />
        </li>
        {last_used_at && (
          <li>
            Used on <Day at={last_used_at} />
          </li>
        )}
        {expires_at && (
          <li>
            Expires on <Day at={expires_at} />
          </li>
        )}
      </ul>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="delete"
        of={String(id)}
        word={`Delete ${withoutTurns(shortened(title))}`}
        consequence="Git over SSH with this key stops working at once."
      />
    </section>
  );
};
