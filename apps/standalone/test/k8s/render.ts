import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '@moothall/processes';
import { parseAllDocuments } from 'yaml';
import { root } from '../apps';

const k8s = path.join(root, 'k8s');

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: any;
}

export const overlays = readdirSync(path.join(k8s, 'overlays'));

/** kubectl contains kustomize, too. */
const kustomize = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
].find(([program]) => findProgram(program!));

/** Without either, the tests of manifests only print that; a CI run must have one. */
export const describeManifests = kustomize || process.env.CI ? describe : describe.skip;
if (!kustomize) process.stderr.write('Neither kustomize nor kubectl is installed: k8s/ is not tested.\n');

const rendered = new Map<string, KubernetesObject[]>();

/** Every object of an overlay, as a cluster would get it. */
export function render(overlay: string): KubernetesObject[] {
  const known = rendered.get(overlay);
  if (known) return known;
  const [program, command] = kustomize ?? ['kustomize', 'build'];
  const text = execFileSync(program!, [command!, path.join(k8s, 'overlays', overlay)], { encoding: 'utf8' });
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
  // Long values are wrapped, which a cluster accepts but the schema does not.
  for (const { kind, data } of objects)
    if (kind === 'Secret') for (const key of Object.keys(data)) data[key] = data[key].replace(/\s/g, '');
  rendered.set(overlay, objects);
  return objects;
}

export interface Workload {
  name: string;
  kind: string;
  pod: { metadata: { labels: Record<string, string> }; spec: PodSpec };
}

interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string }[];
  [field: string]: any;
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
  }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  [field: string]: any;
}

/** All objects with pods. */
export const workloadsOf = (objects: KubernetesObject[]): Workload[] =>
  objects.flatMap(({ kind, metadata, spec }) => {
    const pod = kind === 'CronJob' ? spec.jobTemplate.spec.template : spec?.template;
    return pod ? [{ name: metadata.name, kind, pod }] : [];
  });

/** Workloads that run permanently; jobs end. */
export const lasting = ({ kind }: Workload): boolean => kind !== 'Job' && kind !== 'CronJob';

/** Workloads of Moothall itself. */
export const isOurs = ({ pod }: Workload): boolean =>
  pod.metadata.labels['app.kubernetes.io/part-of'] === 'moothall' &&
  pod.spec.containers.some(({ name }) => name === 'moothall');

export const ofKind = (objects: KubernetesObject[], kind: string): KubernetesObject[] =>
  objects.filter((object) => object.kind === kind);
