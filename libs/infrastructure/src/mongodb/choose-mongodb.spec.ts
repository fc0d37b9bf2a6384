import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseMongodb } from './choose-mongodb';

describe('chooseMongodb', () => {
  const originalPath = process.env.PATH;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-choose-'));
    process.env.PATH = path.join(folder, 'bin');
  });
  afterEach(() => {
    process.env.PATH = originalPath;
    rmSync(folder, { recursive: true });
  });

  const installMongod = () => {
    mkdirSync(path.join(folder, 'bin'));
    writeFileSync(path.join(folder, 'bin/mongod'), '', { mode: 0o755 });
  };

  it('chooses the embedded one if no mongod is installed', () => {
    expect(chooseMongodb('auto', folder)).toBe('embedded');
  });

  it('chooses an installed mongod for a new data folder', () => {
    installMongod();
    expect(chooseMongodb('auto', folder)).toBe('mongod');
  });

  it('keeps the choice of a data folder', () => {
    installMongod();
    mkdirSync(path.join(folder, 'embedded-mongo'));
    expect(chooseMongodb('auto', folder)).toBe('embedded');
    expect(chooseMongodb('mongod', folder)).toBe('mongod');
  });
});
