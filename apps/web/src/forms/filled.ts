import type { FieldValues } from './changes';

/** The fields that the user filled in. */
export const filled = (values: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
