import type { Member } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { Choice, DayField } from '../../parts/form';
import { roleOptions } from '../../parts/roles';

/** The fields of a membership that the form shows. */
export const memberValues = ({ access_level, expires_at }: Member): FieldValues => ({
  access_level: String(access_level),
  expires_at: expires_at ?? '',
});

/** The same of a sent form. */
export const sentMember = (sent: SentForm): FieldValues => ({
  access_level: sent.text('access_level'),
  expires_at: sent.text('expires_at'),
});

/** The fields of a form for a membership. @param grants levels that can be chosen */
export const MemberFields = ({ values = {}, grants }: { values?: FieldValues; grants: readonly number[] }) => (
  <>
    <Choice name="access_level" label="Access level" value={values.access_level} options={roleOptions(grants)} />
    <DayField name="expires_at" label="Expiry date" hint="The membership ends on this day." value={values.expires_at} />
  </>
);
