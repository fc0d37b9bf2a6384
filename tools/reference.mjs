/**
 * `node tools/reference.mjs`, in the folder of the built gateway: writes the API reference as gzip files to
 * `dist/reference/files/`: the OpenAPI document, one document for each area, the pages, and their scripts and styles.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const require = createRequire(path.resolve('dist/index.js'));
const { openApiDocument } = require('./reference/openapi.js');
const { areaDocument, slugOf } = require('./reference/area-document.js');
const { areaPage, indexPage } = require('./reference/pages.js');

const document = openApiDocument('4');
const areas = document['x-tagGroups'].map((group) => [`${slugOf(group.name)}.json`, areaDocument(document, group)]);
const documents = Object.entries({ 'openapi.json': document, ...Object.fromEntries(areas) });
const files = {
  ...Object.fromEntries(documents.map(([name, one]) => [name, JSON.stringify(one)])),
  'index.html': indexPage(document),
  'area.html': areaPage,
  'scalar.js': await scalar(),
  ...(await browserFiles(['find.js', 'show-area.js', 'page.css'])),
};

const folder = 'dist/reference/files';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(files))
  writeFileSync(path.join(folder, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));

/** The script that renders a document, from inside a plugin for Fastify. */
async function scalar() {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const { fastify } = require('fastify');
  const server = fastify();
  await server.register(plugin, { routePrefix: '/', configuration: { url: '/' } });
  const { rawPayload } = await server.inject('/js/scalar.js');
  await server.close();
  return rawPayload;
}

async function browserFiles(names) {
  const entryPoints = names.map((name) => path.join(import.meta.dirname, 'reference', name));
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, write: false, outdir: '.' });
  return Object.fromEntries(outputFiles.map((file) => [path.basename(file.path), file.contents]));
}
