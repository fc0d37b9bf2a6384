import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { uniqueName } from '../server/connection';
import { git } from '../server/git';

/** The git-lfs client, with clones in the folder of a test. Tests are skipped if it is not installed. */
export function lfsClient(folder: string) {
  let isThere = true;
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
  } catch {
    isThere = false;
    console.warn(`What git-lfs does is left out: Debian's package "git-lfs" is not installed.`);
  }
  const configuration = path.join(folder, 'gitconfig');
  writeFileSync(
    configuration,
    '[filter "lfs"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\nrequired = true\n',
  );
  const env = { GIT_CONFIG_GLOBAL: configuration };
  return {
    itWithClient: isThere ? it : it.skip,
    env,
    /** Clones, and configures LFS for `*.bin`. */
    cloneOf(url: string, more: Record<string, string> = {}): string {
      const clone = path.join(folder, uniqueName('clone'));
      git(folder, ['clone', '--quiet', url, clone], { ...env, ...more });
      git(clone, ['lfs', 'install', '--local', '--force'], env);
      return clone;
    },
    commit(clone: string, files: Record<string, Buffer>): void {
      git(clone, ['lfs', 'track', '--lockable', '*.bin'], env);
      for (const [name, content] of Object.entries(files)) writeFileSync(path.join(clone, name), content);
      git(clone, ['add', '.'], env);
      git(clone, ['commit', '--quiet', '-m', 'add files'], env);
    },
  };
}
