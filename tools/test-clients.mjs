/** Clients from npm and PyPI that the end-to-end tests run unmodified. Plain Node. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printStatus, root, runQuietly } from './set-up.mjs';

/**
 * Each in its own folder with its dependencies, outside of the packages of the workspace: together they have some
 * thousand packages. The newest versions that run on Node 20.
 */
const npmClients = {
  gitbeaker: { '@gitbeaker/cli': '43.8.0' },
  releases: { 'semantic-release': '24.2.9', '@semantic-release/gitlab': '13.3.3', 'release-it': '19.2.4' },
  danger: { danger: '14.0.7' },
  renovate: { renovate: '39.264.1' },
  openapi: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3' },
};

/** For python-gitlab the newest version that runs on Python 3.9; the other one needs 3.11. */
const pypiClients = {
  'python-gitlab': { 'python-gitlab': '6.5.0', PyYAML: '6.0.2', 'gql[httpx]': '3.5.3' },
  'openapi-python-client': { 'openapi-python-client': '0.29.1' },
};

const folderOf = (name) => path.join(root, 'node_modules/.cache/moothall/clients', name);

/** Installs missing versions, about a minute in all; if one cannot be installed, its tests are skipped. */
export function installTestClients() {
  const install = (name, packages, into) => {
    const folder = folderOf(name);
    const stamp = path.join(folder, 'installed.json');
    const wanted = JSON.stringify(packages);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    printStatus(`Installing ${Object.keys(packages).join(', ')}, for the tests ...`);
    if (into(folder, packages) === 0) return writeFileSync(stamp, wanted);
    rmSync(folder, { recursive: true, force: true });
    printStatus(`${name} could not be installed; its messages are above, and its tests are left out.`);
  };
  for (const [name, packages] of Object.entries(npmClients)) {
    install(name, packages, (folder) => {
      writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
      // Optional packages and install scripts only make them faster.
      const flags = [
        '--omit=optional',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
        '--loglevel=error',
      ];
      return runQuietly('npm', ['install', ...flags], { cwd: folder }).status;
    });
  }
  for (const [name, packages] of Object.entries(pypiClients)) {
    install(name, packages, (folder) => {
      const wanted = Object.entries(packages).map(([each, version]) => `${each}==${version}`);
      return runQuietly('python3', [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--target',
        folder,
        ...wanted,
      ]).status;
    });
  }
}
