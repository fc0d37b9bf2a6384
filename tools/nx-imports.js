/**
 * Nx plugin: an edge in the project graph for every import from one project of the workspace into another.
 *
 * Nx's own analysis asks TypeScript's JavaScript interface, which TypeScript 7 no longer has, and the
 * package.json files of the projects list no dependencies. Without these edges a changed lib would leave
 * cached results of its users standing.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');

const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\brequire(?:\.resolve)?\(\s*)['"]([^'"\n]+)['"]/g;
const SOURCE = /\.(?:[cm]?[jt]s)$/;

/** @returns the module specifiers that a source text imports, requires or resolves, in order */
function readImports(text) {
  return [...text.matchAll(IMPORT)].map((match) => match[1]);
}

/** @returns the name of the project a specifier leads to from a file, or undefined when it stays outside the workspace */
function findProject(specifier, file, projects) {
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    return Object.keys(projects).find((name) => `${target}/`.startsWith(`${projects[name].root}/`));
  }
  const packageName = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return packageName in projects ? packageName : undefined;
}

function createDependencies(_options, { projects, filesToProcess, workspaceRoot }) {
  const dependencies = [];
  for (const [source, files] of Object.entries(filesToProcess.projectFileMap)) {
    for (const { file } of files) {
      if (!SOURCE.test(file)) continue;
      for (const specifier of readImports(readFileSync(path.join(workspaceRoot, file), 'utf8'))) {
        const target = findProject(specifier, file, projects);
        if (target && target !== source) dependencies.push({ source, target, sourceFile: file, type: 'static' });
      }
    }
  }
  return dependencies;
}

module.exports = { name: 'moothall-imports', createDependencies, readImports, findProject };
