/** Third-party programs for tests and measurements only: a release does not contain this. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  findWayToRoot,
  installRegistry,
  installWithApt,
  isOnPath,
  printStatus,
  runQuietly,
  tolerate,
  withoutStartingServices,
} from './set-up.mjs';
import { installTestClients } from './test-clients.mjs';

/** Programs of `npm test`, and their Debian packages. */
const testPrograms = {
  ssh: 'openssh-client',
  openssl: 'openssl',
  unzip: 'unzip',
  chromium: 'chromium',
  skopeo: 'skopeo',
};

/** Clients for `npm run test:slow`. Tests of missing ones are skipped. */
const clients = {
  'git-lfs': 'git-lfs',
  'ruby-gitlab': 'ruby-gitlab',
  'gitlab-api-v4': 'libgitlab-api-v4-perl',
  '/usr/lib/python3/dist-packages/gitlab': 'python3-gitlab',
};

/** If apt is missing, tests that need the programs report which are missing, and all others run. */
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

/** Other servers, for comparison: programs or files, and their Debian packages. */
const peers = {
  cgit: { programs: { '/usr/lib/cgit/cgit.cgi': 'cgit', lighttpd: 'lighttpd' }, services: ['lighttpd'] },
  redmine: {
    programs: {
      '/usr/share/redmine/config.ru': 'redmine',
      '/var/lib/dpkg/info/redmine-pgsql.list': 'redmine-pgsql',
      '/var/lib/dpkg/info/postgresql.list': 'postgresql',
      puma: 'puma',
    },
    services: ['postgresql'],
    // The comparison creates a database of its own.
    answer: 'redmine redmine/instances/default/dbconfig-install boolean false',
  },
};

/** @param name `cgit` or `redmine` @returns whether the server is installed */
export function installPeer(name) {
  const { programs, services, answer } = peers[name];
  const missing = Object.keys(programs).filter((program) => !isInPlace(program));
  const asRoot = findWayToRoot();
  if (missing.length === 0) return true;
  if (!isOnPath('apt-get') || !asRoot) return false;
  const packages = missing.map((program) => programs[program]);
  printStatus(`Installing ${packages.join(', ')} with apt, for the comparison ...`);
  if (answer) answerApt(asRoot, answer);
  // A service that was installed before may be in use.
  const added = services.filter((service) => packages.includes(service));
  tolerate(() => withoutStartingServices(asRoot, added, () => installWithApt(asRoot, packages)));
  return Object.keys(programs).every(isInPlace);
}

/** Answers a question of a package before its installation. */
function answerApt(asRoot, answer) {
  const [command, ...args] = [...asRoot, 'debconf-set-selections'];
  runQuietly(command, args, { input: `${answer}\n`, stdio: ['pipe', 'pipe', 'pipe'] });
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
