import { mergeMaps } from './extend-job';
import type { Budget } from './file-limits';
import { FilesWanted, type IncludedFile, type IncludedFiles, type Inclusion, keyOf, readIncludes } from './include';
import { withInputs } from './inputs';
import { PipelineFileError, type Variables } from './job-spec';
import { parseYaml, resolveReferences, type YamlMap } from './read-yaml';
import type { RepositoryPaths } from './repository-paths';

/** Files in a file in a file. */
const maxDepth = 10;
/** As the v4 interface has it. */
const maxFiles = 150;

/** The parts of a pipeline file. */
export interface Parts {
  /** Included files so far. */
  files: IncludedFiles;
  /** Variables in `include`. */
  known: Variables;
  /** Variables that names of jobs may contain. */
  readable: Variables;
  paths: RepositoryPaths;
}

/** The place of a file, and its inputs; null for the project's own file. */
type Reading = Omit<Inclusion, 'file'> & { file: IncludedFile | null };

/**
 * The map of a pipeline file with all includes: later files override earlier ones, and a file overrides those it
 * includes. References may refer to other files.
 * @throws FilesWanted while included files are missing, PathsWanted while they depend on unknown paths: as many as
 * possible together
 * @throws PipelineFileError
 */
export function assembleFile(content: string, { files, known, readable, paths }: Parts, budget: Budget): YamlMap {
  const wanted = new Map<string, IncludedFile>();
  let count = 0;

  const read = (text: string, { file: from, inputs }: Reading, above: string[]): YamlMap => {
    const { body, header } = parseYaml(text);
    const { include: given, ...own } = withInputs(body, header, { given: inputs, known: readable, budget });
    if (given === undefined || given === null) return own;
    // Aliases may make it contain itself.
    const { include } = resolveReferences({ include: given }, budget);
    if (above.length >= maxDepth) throw new PipelineFileError('Includes are nested too deep, or include each other');
    const parts = readIncludes(include, { from, known, paths }).map((one) => readIncluded(one, above));
    return [...parts, own].reduce((base, over) => mergeMaps(base, over, budget), {});
  };

  const readIncluded = (inclusion: Inclusion, above: string[]): YamlMap => {
    const { file } = inclusion;
    const key = keyOf(file);
    count += 1;
    if (count > maxFiles) throw new PipelineFileError(`Maximum of ${maxFiles} nested includes are allowed!`);
    if (above.includes(key)) throw new PipelineFileError('Files include each other in a circle');
    const content = files[key];
    if (content !== undefined) return read(content, inclusion, [...above, key]);
    wanted.set(key, file);
    return {};
  };

  try {
    const root = read(content, { file: null, inputs: undefined }, []);
    if (wanted.size > 0) throw new FilesWanted([...wanted.values()]);
    paths.requireAll();
    return resolveReferences(root, budget);
  } catch (cause) {
    // Maps are merged level by level.
    if (cause instanceof RangeError) throw new PipelineFileError('The parsed YAML is too deep');
    throw cause;
  }
}
