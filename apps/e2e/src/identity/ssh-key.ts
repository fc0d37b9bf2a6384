import { randomBytes } from 'node:crypto';

const type = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 ');

/** A new SSH public key. */
export const newSshKey = (): string => `ssh-ed25519 ${Buffer.concat([type, randomBytes(32)]).toString('base64')}`;
