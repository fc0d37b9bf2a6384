import type { CiVariable } from '@moothall/contracts';
import type { Address } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { type FieldFacts, FieldList } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { variableTypes } from '../../parts/variable-types';
import type { Visit } from '../../visit/visits';

interface Props {
  visit: Visit;
  address: Address;
  variables: readonly CiVariable[];
}

const fields: readonly FieldFacts[] = [
  { name: 'key', label: 'Key', hint: 'Letters, digits and underscores.', required: true },
  { name: 'value', label: 'Value', is: 3 },
  { name: 'variable_type', label: 'Type', is: variableTypes },
];

/** The keys of the variables that the jobs of a schedule get; forms that add and delete them. */
export const ScheduleVariables = ({ variables, ...form }: Props) => (
  <section aria-labelledby="variables">
    <h2 id="variables">Variables</h2>
    {variables.length === 0 && <p class="dim">There are no variables.</p>}
    <ul class="list">
      {variables.map(({ key }) => (
        <li key={key}>
          <code>{key}</code>
          <ConfirmedAction
            {...form}
            name="delete-variable"
            of={key}
            word={`Delete ${key}`}
            consequence="Pipelines of the schedule run without the variable."
          />
        </li>
      ))}
    </ul>
    <Form {...form} name="new-variable">
      <FieldList fields={fields} />
      <button type="submit">Add variable</button>
    </Form>
  </section>
);
