import type { ScopedVariable } from '@moothall/contracts';
import { fitsTextArea } from '../../forms/text-area';
import type { FieldFacts } from '../../parts/field-list';
import { variableTypes } from '../../parts/variable-types';

const value: FieldFacts = { name: 'value', label: 'Value', is: 3 };
const masked: FieldFacts = {
  name: 'masked',
  label: 'Masked: logs of jobs do not show the value',
  hint: 'The value needs at least 8 characters: letters, digits and _+=/@:.~-, or any but spaces if it is raw.',
  is: true,
};

const about: readonly FieldFacts[] = [
  { name: 'variable_type', label: 'Type', is: variableTypes },
  {
    name: 'environment_scope',
    label: 'Environments',
    hint: 'Jobs of these environments get the variable. * is any text: review/*',
    required: true,
  },
  { name: 'description', label: 'Description' },
  { name: 'protected', label: 'Protected: only jobs of protected branches and tags get the variable', is: true },
];

const raw: FieldFacts = { name: 'raw', label: 'Raw: names of other variables in the value stay as they are', is: true };

/** The fields of a new variable. */
export const newVariableFields: readonly FieldFacts[] = [
  { name: 'key', label: 'Key', hint: 'Letters, digits and _', required: true },
  value,
  ...about,
  masked,
  { name: 'masked_and_hidden', label: 'Masked and hidden: nobody sees the value again', is: true },
  raw,
];

/** All fields of a variable that can be changed. */
export const variableFields: readonly FieldFacts[] = [value, ...about, masked, raw];

/** The fields of the form of one variable. A hidden variable stays masked. */
export const fieldsOf = (variable: ScopedVariable): readonly FieldFacts[] => [
  ...valueFields(variable),
  ...about,
  ...(variable.hidden ? [] : [masked]),
  raw,
];

function valueFields({ value: current }: ScopedVariable): FieldFacts[] {
  if (current === null) return [{ ...value, hint: 'The value is hidden. Without a new one, it stays as it is.' }];
  return fitsTextArea(current) ? [value] : [];
}
