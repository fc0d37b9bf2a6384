import type { listProjectDeployKeys, OutputOf } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Expiry, LastUse } from '../../parts/credential-days';
import { FieldList, valuesOf } from '../../parts/field-list';
import { Was } from '../../parts/form';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';
import { keyFields } from './deploy-key-fields';

interface Props {
  visit: Visit;
  address: Address;
  record: OutputOf<typeof listProjectDeployKeys>['items'][number];
}

/** A deploy key, with the forms `change-key` and `remove-key`. */
export const DeployKeyRecord = (props: Props) => {
  const { id, title, fingerprint_sha256, can_push, created_at, expires_at, last_used_at } = props.record;
  return (
    <section class="record">
      <h2>
        <Named>{title}</Named>
      </h2>
      <p>
        <code>{fingerprint_sha256}</code>
      </p>
      <ul class="facts">
        <li>{can_push ? 'May push' : 'May only fetch'}</li>
        <li>
          Added on <Day at={created_at} />
        </li>
        <LastUse at={last_used_at} />
        <Expiry at={expires_at} />
      </ul>
      <Change {...props} />
      <ConfirmedAction
        visit={props.visit}
        address={props.address}
        name="remove-key"
        of={String(id)}
        word={`Remove ${withoutTurns(shortened(title))}`}
        consequence="Git over SSH with this key stops working in this project at once."
      />
    </section>
  );
};

const Change = ({ visit, address, record }: Props) => {
  const of = String(record.id);
  const values = valuesOf(keyFields, record);
  return (
    <CollapsedForm visit={visit} address={address} name="change-key" of={of} word="Change">
      <Was values={values} />
      <FieldList fields={keyFields} values={values} />
      <button type="submit">Save {withoutTurns(shortened(record.title))}</button>
    </CollapsedForm>
  );
};
