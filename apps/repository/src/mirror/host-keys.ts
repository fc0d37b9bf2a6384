import { createHash } from 'node:crypto';
import { mirrorErrors } from '@moothall/contracts';
import { utils } from 'ssh2';

/**
 * Lines of `known_hosts` for the host keys of a mirror's server. If there is at least one, no other key is accepted.
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

/** In the form of `ssh-keygen -l`. */
export function fingerprintsOf(knownHosts: string): string[] {
  const keys = knownHosts.split('\n').flatMap((line) => line.split(' ')[2] ?? []);
  return keys.map((base64) => {
    const digest = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64');
    return `SHA256:${digest.replaceAll('=', '')}`;
  });
}
