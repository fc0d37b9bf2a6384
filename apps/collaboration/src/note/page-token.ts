import { invalidParameters } from '@moothall/contracts';

/** End of a keyset page: a time, and the id among notes of the same time. */
interface Position {
  at: Date;
  id: number;
}

export const encodeToken = ({ at, id }: Position): string => Buffer.from(`${at.getTime()}.${id}`).toString('base64url');

/** @throws common.invalid_parameters for an invalid token */
export function decodeToken(token: string): Position {
  const [, time, id] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || id === undefined) throw invalidParameters('page_token is invalid');
  return { at: new Date(Number(time)), id: Number(id) };
}
