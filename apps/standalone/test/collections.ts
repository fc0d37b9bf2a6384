import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Schema } from 'mongoose';

const root = path.resolve(__dirname, '../../..');

/** A collection of a service, and its indexes besides that of the id. */
export interface DescribedCollection {
  name: string;
  indexes: string[];
  /** Fields with the owner of its documents: `projectId`, `groupId`. */
  belongsTo: string[];
}

/** All collections of the services, from their sources: `service.collection`, by name. */
export function describeCollections(): DescribedCollection[] {
  const services = readdirSync(path.join(root, 'apps'));
  return services.flatMap(collectionsOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The schemas of all collections of the services. */
export const schemasOfServices = (): { service: string; schema: Schema }[] =>
  readdirSync(path.join(root, 'apps')).flatMap((service) => schemasIn(service).map((schema) => ({ service, schema })));

function schemasIn(service: string): Schema[] {
  const files = sourcesIn(path.join(root, 'apps', service, 'src'));
  return files.filter((file) => /new Schema[<(]/.test(readFileSync(file, 'utf8'))).flatMap(schemasOf);
}

function collectionsOf(service: string): DescribedCollection[] {
  return schemasIn(service).map((schema) => ({
    name: `${service}.${schema.get('collection')}`,
    indexes: schema.indexes().map(([key, options]) => describeIndex(key, options)),
    belongsTo: ['projectId', 'groupId'].filter((field) => schema.path(field)),
  }));
}

function sourcesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /(?<!\.spec|\.d)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Only those of collections; others are nested schemas. */
function schemasOf(file: string): Schema[] {
  const exported = Object.values(require(file) as object);
  return exported.filter((value): value is Schema => value instanceof Schema && value.get('collection') !== undefined);
}

function describeIndex(key: object, options: Record<string, unknown>): string {
  const fields = Object.entries(key).map(([name, direction]) => (direction === -1 ? `-${name}` : name));
  const { unique, sparse, expireAfterSeconds, partialFilterExpression } = options;
  const words = [unique && 'unique', sparse && 'sparse', partialFilterExpression && 'partial'].filter(Boolean);
  if (expireAfterSeconds !== undefined) words.push('expires');
  return `\`${fields.join(' ')}\`${words.length > 0 ? ` (${words.join(', ')})` : ''}`;
}

/** In the form of docs/mongodb-collections.md. */
export function renderIndexes(collections: DescribedCollection[]): string {
  const rows = collections.map(({ name, indexes }) => `| ${name} | ${indexes.join(', ')} |`);
  return ['| collection | indexes beside `_id` |', '| --- | --- |', ...rows].join('\n');
}
