import type { ProjectRef } from '@moothall/contracts';
import type { KeyOwner } from '../git-access/key-owners';
import type { GatewaySettings } from '../settings/settings';
import { LfsCredentials } from './lfs-credentials';

const settings = { TICKET_KEY: 'k'.repeat(32), EXTERNAL_URL: 'http://moothall.test/' } as GatewaySettings;
const credentials = new LfsCredentials(settings);
const project = { id: 7, fullPath: 'group/app' } as ProjectRef;
const holder = { fingerprint: 'SHA256:abc' } as KeyOwner;
const target = { path: 'group/app', repository: 'project', service: 'git-upload-pack' } as const;

const handOut = (from = credentials) =>
  from.handOut(target, project, holder) as { href: string; header: { Authorization: string }; expires_in: number };

afterEach(() => jest.useRealTimers());

it('contain the owner of the key, the project and the operation', () => {
  const { href, header, expires_in } = handOut();
  expect([href, expires_in]).toEqual(['http://moothall.test/group/app.git/info/lfs', 1800]);
  expect(credentials.read(header.Authorization)).toEqual({
    fingerprint: 'SHA256:abc',
    projectId: 7,
    service: 'git-upload-pack',
  });
});

it('ends after half an hour', () => {
  jest.useFakeTimers();
  const { Authorization } = handOut().header;
  jest.advanceTimersByTime(1_799_000);
  expect(credentials.read(Authorization)).toBeTruthy();
  jest.advanceTimersByTime(2_000);
  expect(credentials.read(Authorization)).toBeNull();
});

it('is nothing when altered, or of another server, and is good while keys are changed', () => {
  const { Authorization } = handOut().header;
  expect(credentials.read(`${Authorization}x`)).toBeNull();
  expect(credentials.read('RemoteAuth')).toBeNull();
  const others = new LfsCredentials({ ...settings, TICKET_KEY: 'o'.repeat(32) });
  expect(others.read(Authorization)).toBeNull();
  const changing = { ...settings, TICKET_KEY: 'o'.repeat(32), TICKET_KEY_ACCEPTED: settings.TICKET_KEY };
  expect(new LfsCredentials(changing).read(Authorization)).toBeTruthy();
});

it.each([undefined, '', 'Basic YTpi', 'Bearer x'])('ignore other headers: %s', (header) => {
  expect(credentials.read(header)).toBeUndefined();
});
