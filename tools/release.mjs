/**
 * `npm run release [-- <folder>]`: builds an installation from the last commit that needs no further build, in
 * `release/` unless a folder is given: a tarball of the result of deploy/Dockerfile without its packages, which the
 * first start installs; an SBOM, licences, notes, and checksums. Takes minutes. The same commit gives the same tarball.
 */
import './help.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildImage, checkOut } from './release/image.mjs';
import { describeLicences } from './release/licences.mjs';
import { print, root, runTool, SetUpError } from './set-up.mjs';

/** Further files: to start it, and to read. */
const others = [
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'clients',
  'tools/start.mjs',
  'tools/set-up.mjs',
  'tools/dead-letters.mjs',
  'tools/help.mjs',
  'tools/progress.mjs',
];

await runTool(async () => {
  const target = path.resolve(process.argv[2] ?? path.join(root, 'release'));
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-release-'));
  try {
    makeRelease(path.join(folder, 'moothall'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function makeRelease(checkout, target) {
  mkdirSync(checkout);
  checkOut('HEAD', checkout);
  const version = readVersion(checkout);
  const notes = readNotes(checkout, version);
  const image = buildImage(checkout, print);
  const name = `moothall-${version}`;
  const files = {
    [`${name}.cdx.json`]: npm(checkout, ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx']),
    [`${name}.licences.txt`]: describeLicences(checkout),
    [`${name}.notes.md`]: notes,
  };
  const unpacked = path.join(path.dirname(checkout), name);
  lay(checkout, image, unpacked);
  writeFileSync(path.join(unpacked, 'LICENCES.txt'), files[`${name}.licences.txt`]);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(target, file), text);
  pack(unpacked, path.join(target, `${name}.tar.gz`));
  const sums = readdirSync(target).map((file) => `${sha256(path.join(target, file))}  ${file}\n`);
  writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''));
  print(`${target} has ${name}: ${readdirSync(target).join(', ')}`);
}

/** One version for everything of this project; `embedded-mongo` is a package of its own. */
function readVersion(checkout) {
  const { version } = readJson(path.join(checkout, 'package.json'));
  for (const kind of ['apps', 'libs'])
    for (const project of readdirSync(path.join(checkout, kind))) {
      const { name, version: its } = readJson(path.join(checkout, kind, project, 'package.json'));
      if (name.startsWith('@moothall/') && its !== version)
        throw new SetUpError(`${kind}/${project} has version ${its}, and the whole is ${version}.`);
    }
  return version;
}

function readNotes(checkout, version) {
  const [, ...sections] = readFileSync(path.join(checkout, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((one) => one.split(/\s/, 1)[0] === version);
  if (!section) throw new SetUpError(`CHANGELOG.md has no entry for version ${version}.`);
  return `# Moothall ${section.trim()}\n`;
}

/** The content of the image without packages, and the files to start it without one. */
function lay(checkout, image, unpacked) {
  cpSync(image, unpacked, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  for (const one of others) cpSync(path.join(checkout, one), path.join(unpacked, one), { recursive: true });
  const manifest = readJson(path.join(unpacked, 'package.json'));
  const isThere = ([, command]) => {
    const [, file] = /^node (\S+)/.exec(command) ?? [];
    return file !== undefined && existsSync(path.join(unpacked, file));
  };
  manifest.scripts = Object.fromEntries(Object.entries(manifest.scripts).filter(isThere));
  writeFileSync(path.join(unpacked, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Sorted by name, with a fixed owner and the time of the commit, so that it is reproducible. */
function pack(unpacked, file) {
  const time = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim();
  const nobody = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
  const [parent, name] = [path.dirname(unpacked), path.basename(unpacked)];
  const tar = ['--create', '--sort=name', ...nobody, `--mtime=${time}`, '--directory', parent, name];
  const bytes = execFileSync('tar', tar, { maxBuffer: 2 ** 30 });
  writeFileSync(file, execFileSync('gzip', ['-9', '--no-name'], { input: bytes, maxBuffer: 2 ** 30 }));
}

function npm(cwd, args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 2] });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
