import type { FieldValues } from '../../forms/changes';
import { withLineEndsOf } from '../../forms/text-area';
import type { TakeForm } from '../../page/page';
import { changesIn, sentValues } from '../../parts/field-list';
import { savedAt } from '../../parts/saved';
import { newVariableFields, variableFields } from './variable-fields';
import { askedByName } from './variable-key';
import type { VariablesOf } from './variable-operations';

/** Takes the forms of variables. */
export function variableForms<T extends { id: number }>({
  operations,
  pathIn,
}: VariablesOf<T>): Readonly<Record<string, TakeForm<T>>> {
  const pathOf = (parent: T) => pathIn(parent, 'variables');
  return {
    'new-variable': async (visit, parent, _address, sent) => {
      await visit.submit(operations.create, { id: String(parent.id), ...sentValues(newVariableFields, sent) });
      return pathOf(parent);
    },
    'change-variable': async (visit, parent, _address, sent) => {
      const asked = { id: String(parent.id), ...askedByName(sent.text('of')) };
      const current = await visit.submit(operations.get, asked);
      const changes = withLineEnds(changesIn(variableFields, sent, current), current.value);
      await visit.submitChanges(operations.update, asked, changes);
      return savedAt(pathOf(parent));
    },
    'delete-variable': async (visit, parent, _address, sent) => {
      await visit.submit(operations.remove, { id: String(parent.id), ...askedByName(sent.text('of')) });
      return pathOf(parent);
    },
  };
}

const withLineEnds = ({ value, ...changes }: FieldValues, before: string | null): FieldValues => ({
  ...changes,
  ...(value !== undefined && { value: withLineEndsOf(before ?? '', value) }),
});
