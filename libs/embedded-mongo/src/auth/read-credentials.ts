import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './scram';

const FILE = 'credentials.json';

/** The name and password of TCP clients, in the data folder with mode 0600; created at the first use. */
export function readCredentials(folder: string): Credentials {
  const path = join(folder, FILE);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const made = { username: 'embedded', password: randomBytes(24).toString('hex') };
    writeFileSync(path, JSON.stringify(made), { mode: 0o600, flag: 'wx' });
  }
  const { username, password } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>;
  if (!username || !password) throw new Error(`${path} must hold a username and a password`);
  return { username, password };
}
