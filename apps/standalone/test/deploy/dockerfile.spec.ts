import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { standaloneSettings } from '../../src/settings';
import { root } from '../apps';

const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line));
const all = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/* `npm run rehearse:image` runs its steps; these checks need no run. */
describe('deploy/Dockerfile', () => {
  it('builds on the Node that .nvmrc names', () => {
    const [, version] = /^NODE_IMAGE=node:(\d+)-/.exec(all('ARG')[0]!)!;
    expect(readFileSync(path.join(root, '.nvmrc'), 'utf8').trim().replace('v', '').split('.')[0]).toBe(version);
  });

  it('runs as an unprivileged user, with a health check', () => {
    expect(all('USER')).toEqual(['1000:1000']);
    expect(all('HEALTHCHECK')).toHaveLength(1);
  });

  it('is labelled with the version of package.json', () => {
    const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const labels = all('LABEL').join(' ');
    expect(labels).toContain(`org.opencontainers.image.version=${version}`);
    expect(labels).toContain(`org.opencontainers.image.licenses=${license}`);
  });

  it('starts an existing program, with settings that it has', () => {
    const [file] = /apps\/\w+\/dist\/main/.exec(all('CMD')[0]!)!;
    expect(existsSync(path.join(root, `${file.replace('dist', 'src')}.ts`))).toBe(true);
    const names = all('ENV').flatMap((line) => line.split(' ').map((entry) => entry.split('=')[0]!));
    expect(names.filter((name) => !(name in standaloneSettings))).toEqual(['NODE_ENV', 'HEALTH_URL']);
  });
});
