import { commonErrors } from '@moothall/contracts';
import type { RouteAddress } from '../page/page';

/** The number of a record in an address: `1` of `/issues/1`. @throws common.not_found for anything that is not one */
export function numberIn({ params }: RouteAddress, name: string): number {
  const text = params[name] ?? '';
  if (!/^[1-9]\d{0,9}$/.test(text)) throw commonErrors.notFound();
  return Number(text);
}
