import { fileFieldsOf, invalidParameters, type Operation } from '@moothall/contracts';
import { SpooledFile } from '../uploads/spooled-file';
import type { Fields } from './nest-fields';

type FileFields = ReturnType<typeof fileFieldsOf>;
const known = new WeakMap<Operation['input'], FileFields>();

/** The file fields of an operation; computed once. */
export function filesOf({ input }: Pick<Operation, 'input'>): FileFields {
  const found = known.get(input) ?? fileFieldsOf(input);
  known.set(input, found);
  return found;
}

/** The field of an operation that receives the whole body as a file. */
export const bodyFileOf = (operation: Pick<Operation, 'input'>) =>
  [...filesOf(operation)].find(([, { isBody }]) => isBody);

/**
 * Files come from multipart bodies only: text, numbers and objects are refused in their place.
 * @throws common.invalid_parameters
 */
export function refusePlainFiles(operation: Pick<Operation, 'input'>, given: Fields): void {
  const refused = [...filesOf(operation)].filter(
    ([name, { takes }]) => given[name] !== undefined && !(given[name] instanceof SpooledFile) && !takes(given[name]),
  );
  if (refused.length > 0) throw invalidParameters(...refused.map(([name]) => `${name} is invalid`));
}
