import { addOwnGpgKey, deleteOwnGpgKey, type GpgKey, listOwnGpgKeys } from '@moothall/contracts';
import type { Address, SitePage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Form, TextArea } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

const path = '/-/user_settings/gpg_keys';

/** The GPG keys of the signed-in user. */
export const gpgKeysPage: SitePage = {
  at: [path, '/-/profile/gpg_keys'],
  show: (visit, address) =>
    inAccount(visit, address, async () => {
      const { items } = await visit.ask(listOwnGpgKeys, { page: pageOf(address), per_page: perPage });
      return {
        title: 'GPG keys',
        body: (
          <>
            <p>Commits that are signed with one of these keys are shown as verified.</p>
            {items.length === 0 && <p class="dim">There are no GPG keys.</p>}
            {items.map((key) => (
              <KeyRecord key={key.id} visit={visit} address={address} record={key} />
            ))}
            <Paging address={address} shown={items.length} />
            <h2>Add a GPG key</h2>
            <Form visit={visit} address={address} name="new-key">
              <TextArea name="key" label="Key" hint="The output of gpg --armor --export" rows={8} required />
              <button type="submit">Add key</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    'new-key': async (visit, _address, sent) => {
      await visit.submit(addOwnGpgKey, { key: sent.text('key') });
      return path;
    },
    delete: async (visit, _address, sent) => {
      await visit.submit(deleteOwnGpgKey, { key_id: sent.text('of') });
      return path;
    },
  },
};

const KeyRecord = ({ visit, address, record }: { visit: Visit; address: Address; record: GpgKey }) => {
  const { id, key, created_at } = record;
  return (
    <section class="record">
      <h3>
        Key {id}, added on <Day at={created_at} />
      </h3>
      <details>
        <summary>Public key</summary>
        <pre>{key}</pre>
      </details>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="delete"
        of={String(id)}
        word={`Delete key ${id}`}
        consequence="Commits that are signed with this key are no longer shown as verified."
      />
    </section>
  );
};
