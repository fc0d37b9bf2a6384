import 'reflect-metadata';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { documentedSettings } from './documented-settings';
import { settingsOfApps } from './settings-of-apps';
import { renderSettingsPage } from './settings-page';
import { unclearPhrases } from './unclear-phrases';

describe('README', () => {
  const readme = readFileSync(path.resolve(__dirname, '../../../README.md'), 'utf8');

  it('has two screens', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(130);
  });

  it('links to pages that there are', () => {
    const links = [...readme.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)].map(([, file]) => file!);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((file) => !existsSync(path.resolve(__dirname, '../../..', file)))).toEqual([]);
  });
});

describe('docs/settings.md', () => {
  it('has every setting as the code reads it; npm run settings:accept writes it', () => {
    const page = path.resolve(__dirname, '../../../docs/settings.md');
    if (process.env.SETTINGS === 'accept') writeFileSync(page, renderSettingsPage());
    expect(readFileSync(page, 'utf8')).toBe(renderSettingsPage());
  });
});

describe('pages on security', () => {
  it('name tests that there are, by their paths', () => {
    const root = path.resolve(__dirname, '../../..');
    const pages = ['security-threats', 'security-sign-in'];
    const text = pages.map((page) => readFileSync(path.join(root, `docs/${page}.md`), 'utf8')).join('\n');
    const named = [...text.matchAll(/`([^`\s]+\.(?:spec|e2e|client|server|chaos)\.tsx?|(?:apps|libs)\/[^`\s]+)`/g)].map(
      ([, file]) => file!,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

describe('pages for operators', () => {
  const root = path.resolve(__dirname, '../../..');
  const pages = ['operations', 'secrets', 'backup', 'monitoring'];
  const text = pages.map((page) => readFileSync(path.join(root, `docs/${page}.md`), 'utf8')).join('\n');

  it('name settings that there are', () => {
    const known = { ...documentedSettings(), ...settingsOfApps.gateway, ...settingsOfApps.repository };
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z_0-9]+)(?:=[^`]*)?`/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    // Settings of the doctor itself.
    expect(named.filter((name) => !(name in known) && name !== 'METRICS_URL')).toEqual([]);
  });

  it('name commands and files that there are', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const commands = [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name!);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, file]) => path.join(root, 'docs', file!));
    const files = [...text.matchAll(/`((?:deploy|k8s)\/[\w./-]+)`/g)].map(([, file]) => path.join(root, file!));
    expect([...links, ...files].filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the pages of docs', () => {
  const root = path.resolve(__dirname, '../../..');
  const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const fromCode = ['events.md', 'mongodb-collections.md', 'settings.md'];
  const inApi = readdirSync(path.join(root, 'docs/api')).map((name) => `api/${name}`);
  const textOf = (name: string) => readFileSync(path.join(root, 'docs', name), 'utf8');

  it('are listed in docs/README.md', () => {
    const list = textOf('README.md');
    expect(names.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  });

  it('have 12 KB at most, unless they are generated', () => {
    const long = [...names, ...inApi].filter((name) => Buffer.byteLength(textOf(name)) > 12 * 1024);
    expect(long.filter((name) => !fromCode.includes(name))).toEqual([]);
  });

  it.each([...names, ...inApi])('%s begins with the question it answers', (name) => {
    expect(textOf(name)).toMatch(/^# [^\n]+\n\n(?!#)\S/);
  });

  it.each([...names, ...inApi])('%s has no phrase that needs a second reading', (name) => {
    const prose = textOf(name).replaceAll(/```.*?```|`[^`\n]*`|^ {4}.*$/gms, '');
    expect(prose.split('\n').filter((line) => unclearPhrases.test(line))).toEqual([]);
  });

  it.each([...names, ...inApi, 'README.md'])('%s links only to existing pages', (name) => {
    const text = textOf(name).replaceAll(/```.*?```|`[^`\n]*`|^ {4}.*$/gms, '');
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, file]) => file!);
    const folder = path.join(root, 'docs', path.dirname(name));
    expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
  });
});
