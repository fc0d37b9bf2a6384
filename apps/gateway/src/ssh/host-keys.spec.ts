import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { storeHostKeys } from './host-keys';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-host-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('creates keys once, with mode 0600', () => {
  const made = storeHostKeys(folder);
  expect(readdirSync(folder).sort()).toEqual([
    'ssh_host_ecdsa_key',
    'ssh_host_ecdsa_key.pub',
    'ssh_host_ed25519_key',
    'ssh_host_ed25519_key.pub',
  ]);
  expect(statSync(path.join(folder, 'ssh_host_ed25519_key')).mode & 0o777).toBe(0o600);
  expect(storeHostKeys(folder)).toEqual(made);
});

it('uses an RSA key that an operator provides', () => {
  writeFileSync(path.join(folder, 'ssh_host_rsa_key'), 'a key');
  expect(storeHostKeys(folder).map(String)).toContainEqual('a key');
});
