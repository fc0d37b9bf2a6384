import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderInUse, FolderLock } from './folder-lock';

describe('FolderLock', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-lock-'));
  const file = path.join(folder, 'lock');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('excludes others until it is released', () => {
    const lock = FolderLock.take(folder, 'lock');
    expect(() => FolderLock.take(folder, 'lock')).toThrow(FolderInUse);
    lock.release();
    FolderLock.take(folder, 'lock').release();
  });

  it('takes over from a process that ended, and from an incomplete file', () => {
    const lock = FolderLock.take(folder, 'lock');
    const holder = JSON.parse(readFileSync(file, 'utf8'));
    lock.release();
    for (const text of [JSON.stringify({ ...holder, identity: 'earlier' }), '', '{"pid":']) {
      writeFileSync(file, text);
      FolderLock.take(folder, 'lock').release();
    }
  });

  it('takes over from a process elsewhere that no longer touches the lock', () => {
    const elsewhere = { host: 'far', pid: 12, identity: 'x', place: 'another container' };
    writeFileSync(file, JSON.stringify(elsewhere));
    expect(() => FolderLock.take(folder, 'lock')).toThrow('in use by process 12 on far');
    const before = new Date(Date.now() - 60_000);
    utimesSync(file, before, before);
    FolderLock.take(folder, 'lock').release();
  });

  it('does not touch a lock that another process took over during a pause', () => {
    const slept = FolderLock.take(folder, 'lock');
    const others = JSON.stringify({ host: 'far', pid: 12, identity: 'x', place: 'another container' });
    writeFileSync(file, others);
    slept.release();
    expect(readFileSync(file, 'utf8')).toBe(others);
    rmSync(file);
  });
});
