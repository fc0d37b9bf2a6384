import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { git } from '../server/git';

const packages = path.resolve(__dirname, '../../../../node_modules');
const authors = [
  ['Ada Lovelace', 'ada@example.com'],
  ['Grace Hopper', 'grace@example.com'],
  ['José Ñandú', 'jose@example.com'],
] as const;

/** A work tree with a generated history: commits a minute apart, by several authors in turn. */
class History {
  private commits = 0;

  constructor(readonly folder: string) {}

  commit(message: string): void {
    const [name, email] = authors[this.commits % authors.length]!;
    this.commits++;
    const date = `2020-10-15T08:${String(this.commits).padStart(2, '0')}:00+03:00`;
    const env = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    git(this.folder, ['add', '--all']);
    git(this.folder, ['commit', '--quiet', '--allow-empty', '-m', message], env);
  }

  run(...args: string[]): void {
    const date = `2020-10-15T09:${String(this.commits).padStart(2, '0')}:00Z`;
    git(this.folder, args, { GIT_COMMITTER_DATE: date });
  }

  addPackage(name: string, as = `packages/${name}`): void {
    const target = path.join(this.folder, as);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(path.join(packages, name), target, {
      recursive: true,
      // Otherwise a linked package would be changed in its original place.
      dereference: true,
      filter: (source) => !path.relative(packages, source).slice(name.length).includes('node_modules'),
    });
  }

  move(from: string, to: string): void {
    renameSync(path.join(this.folder, from), path.join(this.folder, to));
  }

  write(file: string, content: string | Buffer): void {
    const target = path.join(this.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

/**
 * A repository with the files of real packages, thousands of them, and a history with merges, tags, renames, binary
 * files, links, a submodule entry, and names and contents beyond ASCII and UTF-8.
 */
export function makeRealRepository(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-real-'));
  const history = new History(folder);
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  history.write('README.md', '# Real\n');
  history.commit('Begin');
  history.addPackage('rxjs');
  history.commit('Add rxjs');
  history.run('tag', '-a', 'v1.0', '-m', 'First release\n\nwith a body');
  history.run('checkout', '--quiet', '-b', 'feature/docs');
  history.addPackage('axe-core');
  history.write('docs/Größe – 大きさ.md', 'Ein Maß\n');
  history.commit('Füge Dokumente hinzu');
  history.write('docs/latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
  history.commit('A content that is not UTF-8');
  history.run('checkout', '--quiet', 'main');
  history.addPackage('zod');
  history.commit('Add zod');
  history.move('packages/rxjs/src', 'packages/rxjs/source');
  history.commit('Rename a folder');
  history.run('merge', '--quiet', '--no-ff', '-m', 'Merge docs', 'feature/docs');
  history.run('tag', 'v1.1');
  history.write('bin/blob.bin', Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256)));
  symlinkSync('../README.md', path.join(folder, 'bin/link'));
  history.write('bin/run.sh', '#!/bin/sh\necho hi\n');
  history.commit('Binary, link and script');
  history.run('update-index', '--chmod=+x', 'bin/run.sh');
  const some = git(folder, ['rev-parse', 'v1.1']).toString().trim();
  history.run('update-index', '--add', '--cacheinfo', `160000,${some},vendor/module`);
  history.run('commit', '--quiet', '-m', 'Executable bit and submodule');
  history.run('checkout', '--quiet', '-f', '-b', 'same-name', 'v1.0');
  history.write('side.txt', 'side\n');
  history.commit('On a side branch');
  history.run('tag', 'same-name', 'v1.1');
  history.run('checkout', '--quiet', '-f', 'main');
  rmSync(path.join(folder, 'packages/zod'), { recursive: true });
  history.write('packages/rxjs/source/index.ts', '// rewritten\n');
  history.run('rm', '-r', '--quiet', '--cached', 'packages/zod');
  history.run('add', 'packages/rxjs');
  history.run('commit', '--quiet', '-m', 'Remove zod, rewrite an index');
  git(folder, ['gc', '--quiet']);
  if (readdirSync(path.join(folder, 'packages')).length === 0) throw new Error('the packages were not copied');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
