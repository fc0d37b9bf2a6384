/**
 * Executes deploy/Dockerfile without Docker: for its rehearsal and for releases, which have the same content without
 * packages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../set-up.mjs';

/**
 * The files of a commit in a folder outside of the checkout, whose packages would otherwise be found by programs that
 * search upwards.
 */
export function checkOut(commit, folder) {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
}

/** The Dockerfile of a checkout: its stage that builds, and the final one. */
export function readDockerfile(folder) {
  const [build, final] = readFileSync(path.join(folder, 'deploy/Dockerfile'), 'utf8')
    .replaceAll(/\\\n/g, ' ')
    .split(/^FROM .*$/m)
    .slice(1)
    .map((stage) =>
      stage.split('\n').flatMap((line) => {
        const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
        return name ? [{ name, rest }] : [];
      }),
    );
  return { build, final };
}

export const all = (stage, name) => stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

/** Runs the commands of the build stage in a checkout. @returns the folder that the final stage copies */
export function buildImage(folder, print) {
  const { build, final } = readDockerfile(folder);
  for (const command of all(build, 'RUN')) {
    print(command);
    execFileSync('sh', ['-euc', command], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, NODE_ENV: '' },
    });
  }
  return path.join(folder, /--from=build .*\/moothall\/(\S+) /.exec(all(final, 'COPY')[0])[1]);
}
