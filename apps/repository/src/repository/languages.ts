import type { GitEngine } from '../git/engine';

/** Programming and markup languages by file extension; prose and data are not counted. */
const endings: Record<string, string[]> = {
  Assembly: ['asm', 's'],
  C: ['c', 'h'],
  'C#': ['cs'],
  'C++': ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  CMake: ['cmake'],
  CSS: ['css'],
  Clojure: ['clj', 'cljs', 'cljc'],
  CoffeeScript: ['coffee'],
  Dart: ['dart'],
  Elixir: ['ex', 'exs'],
  Elm: ['elm'],
  Erlang: ['erl', 'hrl'],
  'F#': ['fs', 'fsi', 'fsx'],
  Fortran: ['f', 'f90', 'f95'],
  Go: ['go'],
  Groovy: ['groovy', 'gradle'],
  HCL: ['hcl', 'tf'],
  HTML: ['html', 'htm', 'xhtml'],
  Haskell: ['hs', 'lhs'],
  Java: ['java'],
  JavaScript: ['js', 'cjs', 'mjs', 'jsx'],
  Julia: ['jl'],
  Kotlin: ['kt', 'kts'],
  Less: ['less'],
  Lua: ['lua'],
  Nix: ['nix'],
  OCaml: ['ml', 'mli'],
  'Objective-C': ['m', 'mm'],
  PHP: ['php', 'phtml'],
  Pascal: ['pas'],
  Perl: ['pl', 'pm', 't'],
  PowerShell: ['ps1', 'psm1'],
  Prolog: ['pro', 'prolog'],
  Python: ['py', 'pyi', 'pyw'],
  R: ['r'],
  Ruby: ['rb', 'rake', 'gemspec'],
  Rust: ['rs'],
  SCSS: ['scss', 'sass'],
  SQL: ['sql'],
  Scala: ['scala', 'sc'],
  Scheme: ['scm', 'ss'],
  Shell: ['sh', 'bash', 'zsh', 'fish'],
  Solidity: ['sol'],
  Svelte: ['svelte'],
  Swift: ['swift'],
  Tcl: ['tcl'],
  TeX: ['tex', 'sty'],
  TypeScript: ['ts', 'cts', 'mts', 'tsx'],
  Verilog: ['v', 'sv'],
  'Vim script': ['vim'],
  Vue: ['vue'],
  XSLT: ['xsl', 'xslt'],
  Zig: ['zig'],
};
const byName = new Map([
  ['Dockerfile', 'Dockerfile'],
  ['Makefile', 'Makefile'],
  ['Rakefile', 'Ruby'],
]);
const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) => list.map((ending) => [ending, language])),
);

// Third-party code in a repository is not counted.
const vendored = /(^|\/)(node_modules|vendor|third_party|bower_components|dist)\//;
const pageSize = 10_000;

function languageOf(name: string): string | undefined {
  return byName.get(name) ?? byEnding.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** Share of each language in a tree by bytes, in percent with two decimals, largest first. */
export async function languageShares(engine: GitEngine, path: string, treeId: string): Promise<Record<string, number>> {
  const bytes = new Map<string, number>();
  for (let offset = 0; ; offset += pageSize) {
    const page = await engine.trees.list(path, treeId, { recursive: true, start: { offset }, limit: pageSize });
    const entries = page?.entries ?? [];
    await Promise.all(
      entries.map(async (entry) => {
        const language = entry.type === 'blob' && !vendored.test(entry.path) ? languageOf(entry.name) : undefined;
        if (!language) return;
        const size = (await engine.objects.info(path, entry.id))?.sizeBytes ?? 0;
        bytes.set(language, (bytes.get(language) ?? 0) + size);
      }),
    );
    if (entries.length < pageSize) break;
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return Object.fromEntries(
    [...bytes]
      .filter(([, size]) => size > 0)
      .sort(([, a], [, b]) => b - a)
      .map(([language, size]) => [language, Math.round((10_000 * size) / total) / 100]),
  );
}
