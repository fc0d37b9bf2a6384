import { createHash } from 'node:crypto';
import { mirrorErrors } from '@moothall/contracts';
import { utils } from 'ssh2';

/**
 * Lines of `known_hosts` for the keys that a mirror's server may show. Once there is one, no other is accepted.
 * @param keys each as `ssh-ed25519 AAAA…`
 * @throws mirror.host_key_invalid
 */
export function knownHostsOf({ hostname, port }: URL, keys: readonly string[]): string {
  const host = port === '' || port === '22' ? hostname : `[${hostname}]:${port}`;
  return keys
    .map((text) => {
      const [type = '', base64 = ''] = text.trim().split(/\s+/);
      if (!/^[\w@.-]+$/.test(type) || utils.parseKey(`${type} ${base64}`) instanceof Error)
        throw mirrorErrors.hostKeyInvalid();
      return `${host} ${type} ${base64}\n`;
    })
    .join('');
}

/** As `ssh-keygen -l` shows them. */
export function fingerprintsOf(knownHosts: string): string[] {
  const keys = knownHosts.split('\n').flatMap((line) => line.split(' ')[2] ?? []);
  return keys.map((base64) => {
    const digest = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64');
    return `SHA256:${digest.replaceAll('=', '')}`;
  });
}
