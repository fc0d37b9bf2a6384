import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readEnv } from '@moothall/config';
import { apps, root } from '../apps';
import { settingsOfApps } from '../settings-of-apps';
import {
  type Container,
  describeManifests,
  isOurs,
  type KubernetesObject,
  lasting,
  ofKind,
  overlays,
  render,
  type Workload,
  workloadsOf,
} from './render';

/* Rules for manifests beyond those of Kubernetes. */

const appOf = ({ args = [] }: Container): string | undefined => /apps\/(.+)\/dist\/main\.js/.exec(args.join(' '))?.[1];

const selects = (selector: { matchLabels?: Record<string, string> }, { pod }: Workload): boolean =>
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => pod.metadata.labels[key] === value);

const needs = (app: string, lib: string): boolean =>
  lib in JSON.parse(readFileSync(path.join(root, 'apps', app, 'package.json'), 'utf8')).dependencies;

/** Names of queues whose jobs any worker runs; those of storages belong to one process. */
function queuesOf(app: string): string[] {
  const folder = path.join(root, 'apps', app, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.tsx?$/.test(file),
  );
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/jobQueue(?:<.*>)?\(\{([^}]*)\}/g)].map(([, it]) => it!));
  return found.flatMap((it) => (it.includes('perStorage') ? [] : (/name: '(.+?)'/.exec(it)?.slice(1) ?? [])));
}

const settingsFile = (objects: KubernetesObject[], name: string) =>
  objects.find((one) => one.metadata.name === name)!.data;

/** The environment of a process, with placeholders for missing Secrets. */
function environmentOf(objects: KubernetesObject[], { env = [], envFrom = [] }: Container): Record<string, string> {
  const values: Record<string, string> = Object.assign(
    {},
    ...envFrom.map(({ configMapRef }) => settingsFile(objects, configMapRef.name)),
  );
  for (const { name, value, valueFrom } of env) {
    const { name: secret, key = '', optional } = valueFrom?.secretKeyRef ?? {};
    const stored = objects.find((one) => one.kind === 'Secret' && one.metadata.name === secret)?.data[key];
    if (value !== undefined) values[name] = value;
    else if (stored) values[name] = Buffer.from(stored, 'base64').toString();
    else if (secret === undefined) values[name] = '10.0.0.7';
    else if (!optional) values[name] = standIn[key] ?? 'a secret that is long enough for any key';
  }
  return values;
}
const standIn: Record<string, string> = {
  MONGODB_URI: 'mongodb://mongodb',
  REDIS_URL: 'redis://redis',
  ...Object.fromEntries([...apps, 'operator'].map((user) => [user, 'nats://nats'])),
};

describeManifests.each(overlays)('overlay %s', (overlay) => {
  const objects = render(overlay);
  const workloads = workloadsOf(objects);
  const ours = workloads.filter((one) => isOurs(one) && lasting(one));
  const containers = workloads.flatMap(({ name, pod }) =>
    [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map((container) => ({
      at: `${name} ${container.name}`,
      container,
    })),
  );
  const faulty = (isFine: (container: Container) => unknown) =>
    containers.filter(({ container }) => !isFine(container)).map(({ at }) => at);

  it('runs every program there is in apps/', () => {
    const names = (app: string) =>
      ours.filter(({ pod }) => appOf(pod.spec.containers[0]!) === app).map(({ name }) => name);
    for (const app of apps.filter((one) => one !== 'gateway' && one !== 'repository'))
      expect([app, names(app)]).toEqual([app, app === 'web' ? ['web-api'] : [`${app}-api`, `${app}-worker`]]);
    expect(names('gateway')).toEqual(['gateway']);
    expect(names('repository')).toContain('repository-default');
  });

  it('has each storage in one pod that is never two', () => {
    const storages = ours.filter(({ kind }) => kind === 'StatefulSet');
    const entries = storages.flatMap(({ pod }) =>
      pod.spec.containers[0]!.env!.filter(({ name }) => name === 'GIT_STORAGES'),
    );
    expect(entries).toHaveLength(storages.length);
    expect(new Set(entries.map(({ value }) => value!.split('=')[0])).size).toBe(storages.length);
    for (const { spec } of ofKind(objects, 'StatefulSet')) expect(spec.replicas).toBe(1);
  });

  it('sets for every process the settings it reads, and no unknown ones', () => {
    for (const { pod } of ours) {
      const [container] = pod.spec.containers;
      const settings = settingsOfApps[appOf(container!)!]!;
      expect(() => readEnv(settings, environmentOf(objects, container!))).not.toThrow();
      const known = new Set(Object.keys(settings));
      expect(container!.env!.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    }
    const all = new Set(Object.values(settingsOfApps).flatMap((settings) => Object.keys(settings)));
    const shared = Object.keys(settingsFile(objects, ours[0]!.pod.spec.containers[0]!.envFrom![0]!.configMapRef.name));
    expect(shared.filter((name) => !all.has(name))).toEqual([]);
  });

  it('sets for every service the public address of the container registry', () => {
    for (const { pod } of ours) {
      const registryUrl = environmentOf(objects, pod.spec.containers[0]!).REGISTRY_EXTERNAL_URL;
      expect(registryUrl).toBe(overlay === 'production' ? 'https://registry.example.com' : undefined);
    }
  });

  it('creates a NATS user for every process', () => {
    const accounts = readFileSync(path.join(root, 'deploy/nats-accounts.conf'), 'utf8');
    for (const { pod } of ours) {
      const [container] = pod.spec.containers;
      const { valueFrom } = container!.env!.find(({ name }) => name === 'NATS_URL')!;
      expect(valueFrom!.secretKeyRef!.key).toBe(appOf(container!));
      expect(accounts).toContain(`user: ${appOf(container!)}, password`);
    }
  });

  it('has probes at the ports that processes listen on', () => {
    for (const { pod } of ours) {
      const [container] = pod.spec.containers;
      const environment = environmentOf(objects, container!);
      const settings = { http: 'PORT', ssh: 'SSH_PORT', data: 'DATA_PORT', metrics: 'METRICS_PORT' } as Record<
        string,
        string
      >;
      for (const { name, containerPort } of container!.ports!)
        expect(environment[settings[name]!]).toBe(String(containerPort));
    }
    for (const { pod, name } of workloads.filter(lasting)) {
      const [container] = pod.spec.containers;
      const ports = container!.ports!.map((port) => port.name);
      const asked = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => container![probe]);
      for (const probe of asked) {
        expect([name, probe]).not.toEqual([name, undefined]);
        const port = (probe.httpGet ?? probe.tcpSocket)?.port;
        if (typeof port === 'string') expect(ports).toContain(port);
      }
    }
    for (const { spec, metadata } of ofKind(objects, 'Service')) {
      const behind = workloads.filter((one) => selects({ matchLabels: spec.selector }, one));
      expect([metadata.name, behind.length]).toEqual([metadata.name, 1]);
      const offered = behind[0]!.pod.spec.containers[0]!.ports!.map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(offered).toContain(targetPort);
    }
  });

  it('runs as an unprivileged user, with a read-only root except for its volumes', () => {
    expect(
      workloads.filter(
        ({ pod: { spec } }) => !(spec.securityContext.runAsNonRoot && spec.securityContext.runAsUser > 0),
      ),
    ).toEqual([]);
    expect(workloads.filter(({ pod: { spec } }) => spec.automountServiceAccountToken !== false)).toEqual([]);
    expect(
      workloads.filter(({ pod: { spec } }) => spec.securityContext.seccompProfile?.type !== 'RuntimeDefault'),
    ).toEqual([]);
    expect(faulty(({ securityContext }) => securityContext?.readOnlyRootFilesystem)).toEqual([]);
    expect(faulty(({ securityContext }) => securityContext?.allowPrivilegeEscalation === false)).toEqual([]);
    expect(faulty(({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL'))).toEqual([]);
  });

  it('requests memory and processor time, with a limit of memory', () => {
    expect(
      faulty(({ resources }) => resources?.requests?.memory && resources.requests.cpu && resources.limits?.memory),
    ).toEqual([]);
  });

  it('names a version of every image', () => {
    expect(faulty(({ image }) => /(:(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image))).toEqual([]);
  });

  it('scales each of its programs by one rule, and stops one pod at a time', () => {
    const scaled = [...ofKind(objects, 'HorizontalPodAutoscaler'), ...ofKind(objects, 'ScaledObject')].map(
      ({ spec }) => spec.scaleTargetRef.name,
    );
    const deployments = ofKind(objects, 'Deployment').map(({ metadata }) => metadata.name);
    expect([...scaled].sort()).toEqual(deployments.sort());
    const budgets = ofKind(objects, 'PodDisruptionBudget');
    for (const one of ours)
      expect([one.name, budgets.filter(({ spec }) => selects(spec.selector, one)).length]).toEqual([one.name, 1]);
  });

  it('spreads replicas over machines and zones', () => {
    for (const { pod, name } of ours) {
      const rules = pod.spec.topologySpreadConstraints;
      expect([name, rules.map((rule: { topologyKey: string }) => rule.topologyKey)]).toEqual([
        name,
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
      ]);
      // Kubernetes refuses a key in both.
      for (const { labelSelector, matchLabelKeys } of rules)
        expect(matchLabelKeys.filter((key: string) => key in labelSelector.matchLabels)).toEqual([]);
    }
  });

  it('exposes only gateways and the container registry, and services reach only what they need', () => {
    const policies = ofKind(objects, 'NetworkPolicy');
    expect(policies.find(({ metadata }) => metadata.name === 'nothing-else')!.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const fromAnywhere = policies.filter(({ spec }) => spec.ingress?.some((rule: { from?: unknown }) => !rule.from));
    const reached = fromAnywhere.map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/name']);
    expect(reached.filter((name) => name !== 'container-registry')).toEqual(['gateway']);
    const reaches = { mail: '@moothall/mail', objects: '@moothall/object-storage', outside: '@moothall/outbound' };
    for (const { name, pod } of ours)
      for (const [what, lib] of Object.entries(reaches))
        expect([name, what, pod.metadata.labels[`moothall/reaches-${what}`] === 'yes']).toEqual([
          name,
          what,
          needs(appOf(pod.spec.containers[0]!)!, lib),
        ]);
  });

  it('keeps all secrets in Secrets, which exist or are described in k8s/README.md', () => {
    const readme = readFileSync(path.join(root, 'k8s/README.md'), 'utf8');
    const secrets = new Map(ofKind(objects, 'Secret').map(({ metadata, data }) => [metadata.name, data]));
    for (const { container } of containers)
      for (const { name, value, valueFrom } of container.env ?? []) {
        expect([
          name,
          value !== undefined &&
            /(KEY|PASSWORD|TOKEN|SECRET|(NATS|REDIS|SMTP)_URL|_URI)$/.test(name) &&
            !value.startsWith('/'),
        ]).toEqual([name, false]);
        const { name: secret, key, optional } = valueFrom?.secretKeyRef ?? {};
        if (!secret || optional) continue;
        if (secrets.has(secret)) expect(Object.keys(secrets.get(secret))).toContain(key);
        else expect(readme).toContain(`create secret generic ${secret} `);
      }
  });

  it('watches the queues there are', () => {
    const watched = ofKind(objects, 'ScaledObject').map(({ spec }) => ({
      name: spec.scaleTargetRef.name,
      queues: spec.triggers.map(
        ({ metadata }: KubernetesObject) => (metadata as unknown as { listName: string }).listName,
      ),
    }));
    if (watched.length === 0) return;
    const wanted = apps.map((app) => ({
      name: `${app}-worker`,
      queues: queuesOf(app)
        .map((queue) => `moothall:${queue}:wait`)
        .sort(),
    }));
    expect(watched).toEqual(wanted.filter(({ queues }) => queues.length > 0));
  });
});
