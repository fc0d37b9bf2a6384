import type { CiVariable } from '@moothall/contracts';
import type { SecretBox } from '@moothall/secrets';
import { Schema } from 'mongoose';

/** A stored variable, encrypted: values are often credentials. */
export interface SealedVariable {
  key: string;
  variableType: CiVariable['variable_type'];
  sealed: string;
}

export const sealedVariableSchema = new Schema<SealedVariable>(
  { key: String, variableType: String, sealed: String },
  { _id: false },
);

export const sealVariable = (box: SecretBox, { key, value, variable_type }: CiVariable): SealedVariable => ({
  key,
  variableType: variable_type,
  sealed: box.seal(value),
});

export const openVariable = (box: SecretBox, { key, variableType, sealed }: SealedVariable): CiVariable => ({
  key,
  variable_type: variableType,
  value: box.open(sealed),
});
