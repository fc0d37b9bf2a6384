import { isIPv6 } from 'node:net';
import type { Caller, OperationContext } from '@moothall/contracts';

/**
 * Whose share of the places a request takes: a user's or deploy key's, wherever he comes from, else that of the
 * address. Undefined for what the house does for itself.
 */
export function shareOf(
  { caller, client }: Pick<OperationContext, 'caller' | 'client'>,
  deployKeyId?: number,
): string | undefined {
  if (!caller && deployKeyId !== undefined) return `key ${deployKeyId}`;
  return caller || client ? shareOfClient(caller, client?.ip ?? '') : undefined;
}

/** The share of a client that is neither a service nor a deploy key. */
export const shareOfClient = (caller: Caller | undefined, ip: string): string =>
  caller ? `user ${caller.id}` : `address ${networkOf(ip)}`;

/** Of IPv6 the first 64 bits: that much is what one customer of a provider has. */
export function networkOf(ip: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? [];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [address = ''] = ip.toLowerCase().split('%', 1);
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  const filled =
    tail === undefined
      ? groups
      : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
