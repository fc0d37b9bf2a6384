import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { placeSocket, socketUri } from './place-socket';

describe('placeSocket', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-socket-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('creates a socket in the run folder, closed to other users', () => {
    expect(placeSocket(folder, 'a.sock')).toBe(path.join(folder, 'a.sock'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('finds a short path, always the same, for a folder with a long name', () => {
    const long = path.join(folder, 'x'.repeat(120));
    const socket = placeSocket(long, 'a.sock');
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
    expect(placeSocket(long, 'a.sock')).toBe(socket);
    expect(placeSocket(`${long}y`, 'a.sock')).not.toBe(socket);
    for (const name of [long, `${long}y`]) rmSync(path.dirname(placeSocket(name, 'a.sock')), { recursive: true });
  });

  it('returns an address that the driver can read', () => {
    expect(socketUri('/a b/m.sock')).toBe('mongodb://%2Fa%20b%2Fm.sock/');
  });
});
