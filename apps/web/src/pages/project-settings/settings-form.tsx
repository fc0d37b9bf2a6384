import { getProject, type Project, updateProject } from '@moothall/contracts';
import type { SentForm } from '../../forms/sent-form';
import type { Address } from '../../page/page';
import { changesIn, type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import type { Visit } from '../../visit/visits';

interface Props {
  visit: Visit;
  project: Project;
  address: Address;
  fields: readonly FieldFacts[];
}

/** A form for some of the settings of a project. */
export const SettingsForm = ({ visit, project, address, fields }: Props) => {
  const values = valuesOf(fields, project);
  return (
    <Form visit={visit} address={address} name="settings">
      <Was values={values} />
      <FieldList fields={fields} values={values} />
      <button type="submit">Save</button>
    </Form>
  );
};

/** Saves the settings that the user changed. @throws as the operation */
export async function saveSettings(
  visit: Visit,
  { id }: Project,
  sent: SentForm,
  fields: readonly FieldFacts[],
): Promise<void> {
  const ofProject = { id: String(id) };
  const changes = changesIn(fields, sent, await visit.ask(getProject, ofProject));
  await visit.submitChanges(updateProject, ofProject, changes);
}
