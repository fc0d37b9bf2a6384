import 'reflect-metadata';
import { readFileSync } from 'node:fs';
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
