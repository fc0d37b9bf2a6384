import type { listRemoteMirrors, OutputOf } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { FieldList, valuesOf } from '../../parts/field-list';
import { Action, Was } from '../../parts/form';
import { shortened } from '../../parts/shortened';
import { Moment } from '../../parts/time';
import type { Visit } from '../../visit/visits';
import { mirrorFields } from './mirror-fields';

export type Mirror = OutputOf<typeof listRemoteMirrors>['items'][number];

interface RecordProps {
  visit: Visit;
  address: Address;
  mirror: Mirror;
}

/** A push mirror with its forms. @param publicKey of a mirror over SSH */
export const MirrorRecord = ({ publicKey, ...props }: RecordProps & { publicKey: string | undefined }) => {
  const { visit, address, mirror } = props;
  const [of, shown] = [String(mirror.id), withoutTurns(shortened(mirror.url))];
  return (
    <section class="record">
      <h2>
        <Named>{mirror.url}</Named>
      </h2>
      <MirrorFacts mirror={mirror} />
      {mirror.last_error && (
        <p class="wrong">
          <Named>{mirror.last_error}</Named>
        </p>
      )}
      {publicKey && (
        <p>
          Public key, which the other server must accept: <code>{publicKey}</code>
        </p>
      )}
      {mirror.enabled && (
        <Action visit={visit} address={address} name="sync" of={of} word={`Update ${shown} now`} look="quiet" />
      )}
      <ChangeMirror {...props} />
      <ConfirmedAction
        visit={visit}
        address={address}
        name="delete"
        of={of}
        word={`Delete mirror ${shown}`}
        consequence="This server does not push there any more. The other repository stays as it is."
      />
    </section>
  );
};

const MirrorFacts = ({ mirror }: { mirror: Mirror }) => (
  <ul class="facts">
    <li class="tag">{mirror.enabled ? 'enabled' : 'disabled'}</li>
    <li>Status: {mirror.update_status.replaceAll('_', ' ')}</li>
    <li>
      Last successful update:{' '}
      {mirror.last_successful_update_at ? <Moment at={mirror.last_successful_update_at} /> : 'never'}
    </li>
    {mirror.only_protected_branches && <li>Only protected branches</li>}
    {mirror.keep_divergent_refs && <li>Changes on the other server are kept</li>}
    {mirror.host_keys.map(({ fingerprint_sha256 }) => (
      <li key={fingerprint_sha256}>
        Key of the other server: <code>{fingerprint_sha256}</code>
      </li>
    ))}
  </ul>
);

const ChangeMirror = ({ visit, address, mirror }: RecordProps) => {
  const of = String(mirror.id);
  const values = valuesOf(mirrorFields, mirror);
  return (
    <CollapsedForm visit={visit} address={address} name="mirror" of={of} word="Change">
      <Was values={values} />
      <FieldList fields={mirrorFields} values={values} />
      <button type="submit">Save {withoutTurns(shortened(mirror.url))}</button>
    </CollapsedForm>
  );
};
