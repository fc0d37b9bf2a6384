import { shareBetweenTests } from '@moothall/testing';
import { MirrorPushes } from '../src/mirror/mirror-pushes';
import { RemoteMirrors } from '../src/mirror/remote-mirror.repository';
import type { RemoteMirror } from '../src/mirror/remote-mirror.schema';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

const part = <T>(type: abstract new (...args: never[]) => T): T =>
  under.running.app.get(type as never, { strict: false });

/** On a storage of another process, so that no worker pushes it. */
function newMirror(over: Partial<RemoteMirror> = {}): Promise<RemoteMirror> {
  const settings = { isEnabled: true, onlyProtectedBranches: false, keepsDivergentRefs: false };
  const url = { sealedUrl: 'sealed', shownUrl: 'https://mirror.example.com/a.git', sshKey: null, knownHosts: '' };
  return part(RemoteMirrors).add({ projectId: 1, storage: 'elsewhere', ...url, ...settings, ...over });
}

const changed = (id: number, changes: Partial<RemoteMirror>) => part(RemoteMirrors).change(id, changes);
const inMs = ({ dueAt }: RemoteMirror): number => dueAt!.getTime() - Date.now();

describe('a push to a mirror', () => {
  it('that was requested is not delayed by a later push to the project', async () => {
    const { _id } = await newMirror();
    const mirror = await changed(_id, { startedAt: new Date() });
    const usual = await part(MirrorPushes).want(mirror, 'elsewhere');
    expect(inMs(usual)).toBeGreaterThan(10_000);
    const asked = await part(MirrorPushes).want(usual, 'elsewhere', { isUrgent: true });
    expect(inMs(asked)).toBeLessThanOrEqual(0);
    const later = await part(MirrorPushes).want(mirror, 'elsewhere');
    expect(later).toMatchObject({ status: 'scheduled', dueAt: asked.dueAt });
  });

  it('that has started since the mirror was read stays started', async () => {
    const mirror = await newMirror();
    await changed(mirror._id, { status: 'started', startedAt: new Date() });
    expect(await part(MirrorPushes).want(mirror, 'elsewhere')).toMatchObject({ status: 'started' });
  });

  it('stores the other changed fields', async () => {
    const mirror = await newMirror({ isEnabled: false });
    const changes = { isEnabled: true, knownHosts: '$dueAt' };
    expect(await part(MirrorPushes).want(mirror, 'elsewhere', { changes })).toMatchObject(changes);
  });

  it('that is wanted while the end of another is written is not forgotten', async () => {
    const { _id } = await newMirror();
    const known = await changed(_id, { status: 'started', startedAt: new Date(), wantedAt: new Date(0) });
    await part(MirrorPushes).want(known, 'elsewhere');
    const ended = { status: 'finished', dueAt: null, wantedAt: null } as const;
    expect(await part(RemoteMirrors).end(known, ended)).toBe(false);
    const present = await part(RemoteMirrors).find(_id);
    expect(present).toMatchObject({ status: 'started', dueAt: expect.any(Date), wantedAt: expect.any(Date) });
    expect(await part(RemoteMirrors).end(present!, ended)).toBe(true);
    expect(await part(RemoteMirrors).find(_id)).toMatchObject(ended);
  });
});
