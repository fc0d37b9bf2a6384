import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderSettings } from '@moothall/config';
import { documentedSettings } from './documented-settings';

describe('README', () => {
  it('lists every setting as the code reads it', () => {
    const readme = readFileSync(path.resolve(__dirname, '../../../README.md'), 'utf8');
    const table = readme.split('<!-- settings -->')[1]?.trim();
    expect(table).toBe(renderSettings(documentedSettings()));
  });
});

describe('docs/security.md', () => {
  it('names tests that there are, by their paths', () => {
    const root = path.resolve(__dirname, '../../..');
    const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
    const named = [...text.matchAll(/`([^`\s]+\.(?:spec|e2e)\.ts|(?:apps|libs)\/[^`\s]+)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
