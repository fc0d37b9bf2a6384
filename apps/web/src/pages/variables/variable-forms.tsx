import type { ScopedVariable } from '@moothall/contracts';
import type { Address } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import type { Visit } from '../../visit/visits';
import { fieldsOf, newVariableFields } from './variable-fields';
import { nameOfVariable } from './variable-key';

interface FormsProps {
  visit: Visit;
  address: Address;
}

/** A form that creates a variable. */
export const NewVariable = ({ visit, address }: FormsProps) => (
  <>
    <h2>New variable</h2>
    <Form visit={visit} address={address} name="new-variable">
      <FieldList fields={newVariableFields} values={{ environment_scope: '*' }} />
      <button type="submit">Add variable</button>
    </Form>
  </>
);

/** Forms of one variable. */
export const VariableForms = ({ visit, address, variable }: FormsProps & { variable: ScopedVariable }) => {
  const of = nameOfVariable(variable);
  const [shown, fields] = [shownNameOf(variable), fieldsOf(variable)];
  const values = valuesOf(fields, variable);
  return (
    <>
      <CollapsedForm visit={visit} address={address} name="change-variable" of={of} word="Change">
        <Was values={values} />
        {'value' in values || <p class="dim">The value does not fit in a field. It stays as it is.</p>}
        <FieldList fields={fields} values={values} />
        <button type="submit">Save {shown}</button>
      </CollapsedForm>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="delete-variable"
        of={of}
        word={`Delete ${shown}`}
        consequence="New jobs do not get the variable."
      />
    </>
  );
};

/** `KEY`, or `KEY (production)`. */
const shownNameOf = ({ key, environment_scope }: ScopedVariable): string =>
  environment_scope === '*' ? key : `${key} (${environment_scope})`;
