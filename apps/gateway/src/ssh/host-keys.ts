import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSshKeyPair } from '@moothall/secrets';

const made = ['ed25519', 'ecdsa'] as const;
/** Takes up to a second to create, and only clients from before 2011 need one; used if it exists. */
const used = [...made, 'rsa'] as const;

/**
 * The server's own keys, created once and stored: clients remember them, and warn of an attack if they change.
 * @param folder `ssh_host_<kind>_key` in OpenSSH's format, each beside its public part
 */
export function storeHostKeys(folder: string): Buffer[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (kind: (typeof used)[number]) => path.join(folder, `ssh_host_${kind}_key`);
  for (const kind of made) if (!existsSync(fileOf(kind))) write(fileOf(kind), newSshKeyPair(kind));
  return used
    .map(fileOf)
    .filter(existsSync)
    .map((file) => readFileSync(file));
}

/** Atomic; of two processes that start at once, the first one's key is used by both. */
function write(file: string, pair: { private: string; public: string }): void {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, pair.private, { mode: 0o600 });
  chmodSync(mine, 0o600);
  try {
    linkSync(mine, file);
    writeFileSync(`${file}.pub`, `${pair.public}\n`, { mode: 0o644 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}
