import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A new key pair in a folder, and the settings for git: independent of the configuration of this machine. */
export function makeSshKey(folder: string, name = 'key') {
  const file = path.join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  const options = [
    '-F /dev/null',
    `-i ${file}`,
    '-oIdentitiesOnly=yes',
    '-oBatchMode=yes',
    '-oStrictHostKeyChecking=accept-new',
    `-oUserKnownHostsFile=${path.join(folder, 'known_hosts')}`,
  ];
  return {
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
    env: { GIT_SSH_COMMAND: `ssh ${options.join(' ')}`, GIT_SSH_VARIANT: 'ssh' },
  };
}
