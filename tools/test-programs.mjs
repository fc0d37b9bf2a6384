/** Programs of others that tests and measurements use, and nothing else does: a release comes without this. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  findWayToRoot,
  installRegistry,
  installWithApt,
  isOnPath,
  printStatus,
  tolerate,
  withoutStartingServices,
} from './set-up.mjs';
import { installTestClients } from './test-clients.mjs';

/** What `npm test` uses, and the Debian packages of it. */
const testPrograms = {
  ssh: 'openssh-client',
  openssl: 'openssl',
  unzip: 'unzip',
  chromium: 'chromium',
  skopeo: 'skopeo',
};

/** Clients that `npm run test:slow` tries the server with. Tests of those that are missing are skipped. */
const clients = {
  'git-lfs': 'git-lfs',
  'ruby-gitlab': 'ruby-gitlab',
  'gitlab-api-v4': 'libgitlab-api-v4-perl',
  '/usr/lib/python3/dist-packages/gitlab': 'python3-gitlab',
};

/** Where apt has none, the tests that need them say what is missing, and all others run. */
export function installTestPrograms() {
  installRegistry();
  installMissing(testPrograms);
}

/** Packages of Debian, npm and PyPI. */
export function installClients() {
  installMissing(clients);
  installTestClients();
}

function installMissing(programs) {
  const isElsewhere = (program) => program === 'chromium' && process.env.CHROMIUM_PATH;
  const missing = Object.entries(programs).filter(([program]) => !isInPlace(program) && !isElsewhere(program));
  installForTests(missing.map(([, name]) => name));
}

/** Another server of git repositories, to measure beside ours. @returns whether it is there */
export function installPeer() {
  const peer = { '/usr/lib/cgit/cgit.cgi': 'cgit', lighttpd: 'lighttpd' };
  const missing = Object.keys(peer).filter((program) => !isInPlace(program));
  const asRoot = findWayToRoot();
  if (missing.length === 0) return true;
  if (!isOnPath('apt-get') || !asRoot) return false;
  printStatus('Installing cgit and lighttpd with apt, for the comparison ...');
  tolerate(() => {
    withoutStartingServices(asRoot, ['lighttpd'], () => installWithApt(asRoot, Object.values(peer)));
  });
  return Object.keys(peer).every(isInPlace);
}

/** Gives a server its own clock, which chaos tests set. */
export function installClock() {
  const asRoot = findWayToRoot();
  if (existsSync('/usr/bin/faketime') || !isOnPath('apt-get') || !asRoot) return;
  printStatus('Installing faketime with apt, for a clock that jumps ...');
  tolerate(() => installWithApt(asRoot, ['faketime']));
}

const isInPlace = (program) => (path.isAbsolute(program) ? existsSync(program) : isOnPath(program));

function installForTests(missing) {
  const asRoot = findWayToRoot();
  if (missing.length === 0 || !isOnPath('apt-get') || !asRoot) return;
  printStatus(`Installing ${missing.join(', ')} with apt, for the tests ...`);
  tolerate(() => installWithApt(asRoot, missing));
}
