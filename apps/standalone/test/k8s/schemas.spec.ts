import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../apps';
import { describeManifests, type KubernetesObject, overlays, render } from './render';

/* Validates manifests against the JSON schemas of the Kubernetes API, without unknown fields. */

/** Packages with schemas and types, by API group; Kubernetes' own groups are in one package. */
const packages: Record<string, string> = {
  'keda.sh': require.resolve('@kubernetes-models/keda/package.json'),
  'monitoring.coreos.com': require.resolve('@kubernetes-models/prometheus-operator/package.json'),
};
const kubernetes = require.resolve('kubernetes-models/package.json');

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  const group = apiVersion.split('/').at(-2) ?? '';
  return path.join(path.dirname(packages[group] ?? kubernetes), apiVersion, kind);
}

const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

describeManifests.each(overlays)('overlay %s', (overlay) => {
  const objects = render(overlay);

  it('is valid by the schemas of Kubernetes and of the operators it uses', () => {
    const faults = objects.flatMap((object) => {
      const Model = require(moduleOf(object))[object.kind];
      try {
        new Model(object).validate();
        return [];
      } catch (error) {
        return [`${titleOf(object)}: ${(error as Error).message}`];
      }
    });
    expect(faults).toEqual([]);
  });

  // Schemas allow unknown fields, and a cluster drops them: a misspelled probe would be missing.
  it('has only fields that Kubernetes defines', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'moothall-manifests-'));
    const lines = objects.flatMap((object, index) => [
      `// ${titleOf(object)}`,
      `import type { I${object.kind} as T${index} } from '${moduleOf(object)}';`,
      `export const o${index}: T${index} = ${JSON.stringify(object)};`,
    ]);
    writeFileSync(path.join(folder, 'manifests.ts'), lines.join('\n'));
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const args = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '', 'manifests.ts'];
    try {
      execFileSync(tsc, args, { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      const said = String((error as { stdout: string }).stdout);
      throw new Error(said.replace(/manifests\.ts\((\d+),/g, (_, line) => `${lines[Number(line) - 3]} (`));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
