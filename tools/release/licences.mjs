/** Third-party parts of a release, and their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const fileOfTerms = /^(licen[cs]e|copying|notice|unlicense)/i;

/**
 * Packages of an installation without development packages, by the lock file; packages that are missing here are for
 * other platforms.
 */
function packagesOf(folder) {
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([where, { version, dev, link }]) => {
    const name = where.split('node_modules/').at(-1);
    if (!where.startsWith('node_modules/') || dev || link) return [];
    return [{ name, version, ...readTerms(path.join(folder, where)) }];
  });
}

function readTerms(folder) {
  if (!existsSync(folder)) return { isElsewhere: true, texts: [] };
  const { license, licenses } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const stated = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
  const read = ({ name }) => readFileSync(path.join(folder, name), 'utf8');
  const texts = files.filter(({ name }) => fileOfTerms.test(name)).map(read);
  const found =
    texts.length > 0 ? texts : files.filter(({ name }) => /^readme/i.test(name)).flatMap((file) => termsIn(read(file)));
  return { stated, texts: found.map((text) => text.trim()) };
}

/** Some packages state the licence only in their README, at its end. */
function termsIn(readme) {
  const [, terms] = /^#+ *licen[cs]e\b[^\n]*\n(.*)/ims.exec(readme) ?? [];
  return terms ? [terms] : [];
}

/**
 * The licences of all packages, each text once, after the packages that use it.
 * @throws Error that names a package without a licence
 */
export function describeLicences(folder) {
  const packages = packagesOf(folder);
  const here = packages.filter(({ isElsewhere }) => !isElsewhere);
  const without = here.filter(({ stated, texts }) => !stated && texts.length === 0);
  if (without.length > 0) throw new Error(`No licence is stated by ${without.map(nameOf).join(', ')}.`);
  const parts = [
    'Moothall is under the licence in LICENSE. It is installed with these packages, whose licences are below.\n',
    ...here.map((one) => `${nameOf(one)}: ${one.stated ?? 'see its text below'}`),
    '',
    'On other platforms also, of the same projects:\n',
    ...packages.filter(({ isElsewhere }) => isElsewhere).map(nameOf),
  ];
  for (const [text, names] of byText(here)) parts.push(`\n${'-'.repeat(78)}\n${names.join(', ')}\n\n${text}`);
  return `${parts.join('\n')}\n`;
}

const nameOf = ({ name, version }) => `${name} ${version}`;

function byText(packages) {
  const named = new Map();
  for (const one of packages) for (const text of one.texts) named.set(text, [...(named.get(text) ?? []), nameOf(one)]);
  return named;
}
