import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderSnapshot } from './folder-snapshot';

describe('KeptFolder', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'kept-'));
    write('a/HEAD', 'main');
    write('a/objects/1', 'one');
    write('a/refs/heads/main', '1');
    write('b/HEAD', 'main');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const at = (file: string) => path.join(root, 'folder', file);
  /** As git writes: a new file that replaces the other. */
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(`${file}.new`), text);
    renameSync(at(`${file}.new`), at(file));
  };
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const keep = () =>
    new FolderSnapshot(path.join(root, 'folder'), path.join(root, 'kept'), (name) => /objects/.test(name));

  it('restores changed, removed and replaced files, and removes new ones', () => {
    const kept = keep();
    for (let time = 0; time < 2; time++) {
      write('a/HEAD', 'other');
      write('a/objects/2', 'two');
      write('a/refs/heads/topic/deep', '2');
      rmSync(at('a/refs/heads/main'));
      rmSync(at('b'), { recursive: true });
      write('b', 'a file');
      write('c/HEAD', 'main');
      rmSync(at('b'));
      kept.putBack();
      expect([read('a/HEAD'), read('a/refs/heads/main'), read('b/HEAD')]).toEqual(['main', '1', 'main']);
      expect(['a/refs/heads/topic', 'c'].filter((name) => existsSync(at(name)))).toEqual([]);
      // Files that are only found through other files may stay.
      expect([read('a/objects/1'), read('a/objects/2')]).toEqual(['one', 'two']);
    }
  });

  it('restores a missing folder as an empty one', () => {
    rmSync(path.join(root, 'folder'), { recursive: true });
    const kept = keep();
    write('a/HEAD', 'main');
    kept.putBack();
    expect(existsSync(at('a'))).toBe(false);
  });
});
