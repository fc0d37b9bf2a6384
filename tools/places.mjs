/** `npm run test:slow -- places`: the release, and a clone, in the places where users put them. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useServer } from './places/use-server.mjs';
import { checkOut } from './release/image.mjs';
import { Running } from './release/running.mjs';
import { install, isRegistryThere, unpack } from './release/unpacked.mjs';
import { print, root, run } from './set-up.mjs';

const nodes = ['20.19.0', '22', '24'];
const isRoot = process.getuid?.() === 0;
/** A user without files. */
const nobody = { uid: 65534, gid: 65534 };

/**
 * Each place with the function that prepares it. The function gets a {@link Site} and returns what differs from an installation
 * that this user owns and that keeps its data in `data`; it returns false if the place cannot be tried here.
 */
const places = {
  'below a folder src': (at) => ({ installation: at.move('src/moothall') }),
  'below a folder dist': (at) => ({ installation: at.move('dist/moothall') }),
  'with spaces and other letters': (at) => ({ installation: at.move('my forge é ü 日本/moot hall') }),
  'through a symbolic link': (at) => ({ installation: at.link('src/a link') }),
  'as an ordinary user': (at) => isRoot && { installation: at.giveTo(nobody), user: nobody },
  'read-only, with its data elsewhere': (at) => ({
    installation: at.makeReadOnly(),
    dataFolder: at.folder('data', isRoot ? nobody : undefined),
    ...(isRoot && { user: nobody }),
  }),
  'with TMPDIR elsewhere': (at) => ({ env: { TMPDIR: at.folder('other tmp') } }),
  'on IPv6': () => ({ env: { HOST: '::1' } }),
  'with the usual ports taken': async () => ({
    env: { PORT: undefined, SSH_PORT: undefined, REGISTRY_PORT: undefined },
    undo: await take([8080, 2222, 5050]),
  }),
  ...Object.fromEntries(nodes.map((version) => [`on Node ${version}`, (at) => at.node(version)])),
  'a clone below a folder src': (at) => ({ installation: at.clone('src/my clone ü') }),
};

/** @param patterns parts of the names of places, all if absent. @returns checks, one for each place */
export async function tryPlaces(patterns) {
  const base = mkdtempSync(path.join(tmpdir(), 'moothall-places-'));
  chmodSync(base, 0o755);
  try {
    const installation = installRelease(base);
    if (!installation) return [{ name: 'the release installed', isWell: false }];
    const wanted = Object.entries(places).filter(
      ([name]) => patterns.length === 0 || patterns.some((pattern) => name.includes(pattern)),
    );
    const checks = [];
    for (const [index, [name, make]] of wanted.entries())
      checks.push(await tryPlace(name, make, new Site(installation, path.join(base, String(index)))));
    return checks.filter(Boolean);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function installRelease(base) {
  const made = path.join(base, 'release');
  if (run(process.execPath, [path.join(root, 'tools/release.mjs'), made]).status !== 0) return undefined;
  const installation = unpack(made, base);
  if (!isRegistryThere(installation)) return undefined;
  install(installation);
  return installation;
}

/** @returns a check, or undefined if the place cannot be tried here */
async function tryPlace(name, make, site) {
  let place;
  try {
    place = await make(site);
    if (!place) {
      print(`Left out: ${name}.`);
      return undefined;
    }
    const { installation = site.installation, dataFolder = path.join(installation, 'data'), user, node } = place;
    const env = { ...(user && { HOME: site.folder('home', user) }), ...place.env };
    const running = await Running.start(installation, 'tools/start.mjs', dataFolder, { user, env, node });
    try {
      await useServer(running, site.folder('work'));
    } finally {
      await running.server.stop();
    }
    print(`${name}: ready in ${running.server.seconds} s, and every step passed.`);
    return { name, isWell: true };
  } catch (error) {
    print(`${name}: ${error.stack}`);
    return { name, isWell: false };
  } finally {
    await place?.undo?.();
    site.restore();
  }
}

/** A place for the installation, which is moved from place to place because it is large. */
class Site {
  undone = [];

  constructor(installation, own) {
    this.installation = installation;
    this.own = own;
    mkdirSync(own, { mode: 0o755 });
  }

  folder(name, owner) {
    const folder = path.join(this.own, name);
    mkdirSync(folder, { recursive: true });
    if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder]);
    return folder;
  }

  move(name) {
    const there = path.join(this.own, name);
    mkdirSync(path.dirname(there), { recursive: true });
    renameSync(this.installation, there);
    this.undone.push(() => renameSync(there, this.installation));
    return there;
  }

  link(name) {
    const there = path.join(this.own, name);
    mkdirSync(path.dirname(there), { recursive: true });
    symlinkSync(this.installation, there);
    return there;
  }

  giveTo({ uid, gid }) {
    execFileSync('chown', ['-R', `${uid}:${gid}`, this.installation]);
    this.undone.push(() => execFileSync('chown', ['-R', '0:0', this.installation]));
    return this.installation;
  }

  makeReadOnly() {
    execFileSync('chmod', ['-R', 'a-w', this.installation]);
    this.undone.push(() => execFileSync('chmod', ['-R', 'u+w', this.installation]));
    return this.installation;
  }

  /** Node of that version, from npm's package `node-<platform>-<processor>`. @throws if npm cannot install it */
  node(version) {
    const folder = this.folder('node');
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
    execFileSync('npm', ['install', ...flags, `${name}@${version}`], { stdio: ['ignore', 2, 2] });
    return { node: path.join(folder, 'node_modules', name, 'bin/node') };
  }

  clone(name) {
    const there = path.join(this.own, name);
    mkdirSync(there, { recursive: true });
    checkOut('HEAD', there);
    return there;
  }

  /** Restores the installation without data for the next place. */
  restore() {
    for (const undo of this.undone.reverse()) undo();
    rmSync(path.join(this.installation, 'data'), { recursive: true, force: true });
    rmSync(this.own, { recursive: true, force: true });
  }
}

/** If another process has a port, it is in use as well. */
function mayBeInUse(error) {
  if (error.code !== 'EADDRINUSE') throw error;
}

/** Listens on ports. @returns a function that closes them */
async function take(ports) {
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening').catch(mayBeInUse)));
  return () => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
}
