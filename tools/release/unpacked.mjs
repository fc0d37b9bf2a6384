/** A release, downloaded and installed as a user would. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { print, SetUpError } from '../set-up.mjs';

/**
 * Unpacks the result of `npm run release`.
 * @param made folder of the release
 * @returns the folder of the installation
 */
export function unpack(made, folder) {
  const archive = existsSync(made) && readdirSync(made).find((name) => name.endsWith('.tar.gz'));
  if (!archive) throw new SetUpError('There is no release yet: npm run release.');
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: made, stdio: ['ignore', 2, 2] });
  execFileSync('tar', ['--extract', '--file', path.join(made, archive), '--directory', folder]);
  print(`${archive}: as its checksum says.`);
  return path.join(folder, archive.replace(/\.tar\.gz$/, ''));
}

export function isRegistryThere(cwd) {
  const [name] = Object.keys(
    JSON.parse(readFileSync(path.join(cwd, 'apps/standalone/package.json'), 'utf8')).dependencies,
  ).filter((one) => !one.startsWith('@moothall/'));
  return spawnSync('npm', ['view', name, 'version'], { cwd, stdio: 'ignore', timeout: 60_000 }).status === 0;
}

/** The installation of the first start, done in advance. */
export function install(release) {
  const startedAt = Date.now();
  const script = `import(${JSON.stringify(path.join(release, 'tools/set-up.mjs'))}).then(({ setUp }) => setUp())`;
  execFileSync(process.execPath, ['--eval', script], { cwd: release, stdio: ['ignore', 2, 2] });
  const [size] = execFileSync('du', ['-sm', release], { encoding: 'utf8' }).split('\t');
  print(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s; ${size} MB.`);
  const forBuilding = ['typescript', 'nx', 'jest', '@swc/core', '@biomejs/biome'];
  const there = forBuilding.filter((name) => existsSync(path.join(release, 'node_modules', name)));
  if (there.length > 0) throw new Error(`it has packages that only builds and tests need: ${there.join(', ')}`);
}
