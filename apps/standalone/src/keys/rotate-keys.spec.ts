import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OperationClient } from '@moothall/messaging';
import { type DataFolder, dataFolderAt } from '../data-folder/open-data-folder';
import { nameOfKeys, type Secrets, storeSecrets } from '../data-folder/store-secrets';
import { writePrivateFile } from '../data-folder/write-private-file';
import { rotateKeys } from './rotate-keys';

let folder: DataFolder;
/** The keys of processes at each replacement. */
let given: Secrets[];
beforeEach(() => {
  folder = dataFolderAt(mkdtempSync(path.join(tmpdir(), 'moothall-test-')));
  mkdirSync(folder.place.runFolder);
  given = [];
  useKeys();
  given = [];
});
afterEach(() => rmSync(folder.root, { recursive: true }));

const secrets = () => storeSecrets(folder.secretsFile, {});

function useKeys(isOwn = true): void {
  given.push(secrets());
  writePrivateFile(folder.keysInUseFile, { name: nameOfKeys(secrets()), isOwn });
}

/** All values have the first key at once. */
const client = {
  call: async () => ({ key_name: 'x', seen: 2, outdated: 0, resealed: 0, unreadable: [], after: null }),
} as unknown as OperationClient;

const rotate = (replaceProcesses: () => void = () => useKeys()) =>
  rotateKeys({ folder, replaceProcesses, client, say: () => undefined });

/** The first and the other key of processes, by whether it existed before. */
function pairsAfter(before: Secrets): string[][] {
  const ageOf = (key: string | undefined, old: string) => {
    if (key === undefined) return 'none';
    return key === old ? 'old' : 'new';
  };
  const ofEach = (name: 'secretKey' | 'ticketKey') =>
    given.map((one) => [ageOf(one[name], before[name]), ageOf(one.rotation?.[name], before[name])]);
  expect(ofEach('ticketKey')).toEqual(ofEach('secretKey'));
  return ofEach('secretKey');
}

const steps = [
  ['old', 'new'],
  ['new', 'old'],
  ['new', 'none'],
];

it('publishes a key to processes before any uses it, and until none does', async () => {
  const before = secrets();
  await rotate();
  expect(pairsAfter(before)).toEqual(steps);
  expect(secrets()).toEqual({ ...before, secretKey: expect.any(String), ticketKey: expect.any(String) });
});

it.each([1, 2])('continues after an interruption while processes were replaced for the %d. time', async (time) => {
  const before = secrets();
  let replaced = 0;
  const cutOff = () => {
    replaced++;
    if (replaced === time) throw new Error('gone');
    useKeys();
  };
  await expect(rotate(cutOff)).rejects.toThrow('The server has ended.');
  const { secretKey, rotation } = secrets();
  await rotate();
  expect(pairsAfter(before)).toEqual(steps);
  expect([secretKey, rotation?.secretKey]).toContain(secrets().secretKey);
});

it('runs alone, and not beside a backup', async () => {
  const [first, second] = await Promise.allSettled([rotate(), rotate()]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
  expect((second as PromiseRejectedResult).reason.message).toMatch(/is already creating a backup or rotating keys/);
});

it('does nothing if SECRET_KEY is set', async () => {
  const before = readFileSync(folder.secretsFile, 'utf8');
  useKeys(false);
  await expect(rotate()).rejects.toThrow('SECRET_KEY is set for this server');
  expect(readFileSync(folder.secretsFile, 'utf8')).toBe(before);
});
