import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '../../..');

/** Apps that are programs; standalone composes them. */
export const apps = readdirSync(path.join(root, 'apps')).filter(
  (app) => app !== 'standalone' && existsSync(path.join(root, 'apps', app, 'src/main.ts')),
);
