import type { Operation } from '@moothall/contracts';
import type { SentForm } from '../forms/sent-form';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import type { Pictured } from './avatar';
import { changesIn, type FieldFacts, FieldList, valuesOf } from './field-list';
import { Form, Was } from './form';
import { AvatarField, pictureIn } from './picture-field';

interface Props {
  visit: Visit;
  address: Address;
  /** The project or the group. */
  record: object;
  fields: readonly FieldFacts[];
  /** Set if the form changes the picture as well. */
  pictured?: Pictured;
}

/** A form for some of the settings of a project or a group. */
export const SettingsForm = ({ visit, address, record, fields, pictured }: Props) => {
  const values = valuesOf(fields, record);
  return (
    <Form visit={visit} address={address} name="settings" sendsFiles={pictured !== undefined}>
      <Was values={values} />
      {pictured && <AvatarField of={pictured} />}
      <FieldList fields={fields} values={values} />
      <button type="submit">Save</button>
    </Form>
  );
};

/** Saves the settings that the user changed. @param record as it is now @throws as the operation */
export async function saveSettings(
  visit: Visit,
  update: Operation,
  record: { id: number },
  sent: SentForm,
  fields: readonly FieldFacts[],
): Promise<void> {
  await visit.submitChanges(
    update,
    { id: String(record.id) },
    { ...changesIn(fields, sent, record), ...pictureIn(sent, 'avatar') },
  );
}
