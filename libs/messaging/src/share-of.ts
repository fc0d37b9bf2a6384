import { isIPv6 } from 'node:net';
import type { Caller, OperationContext } from '@moothall/contracts';

/**
 * The caller whose share of the slots a request uses: a user or deploy key at any address, else the address.
 * Undefined for work of the server itself.
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

/** For IPv6 the first 64 bits, the network of one customer of a provider. */
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
