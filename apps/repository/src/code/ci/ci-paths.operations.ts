import { type ContextOf, ciChangedPaths, ciTreePaths, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Storages } from '../../storage/storages';

/** Paths for `changes` and `exists` of pipeline files. See docs/api/pipeline-files.md#5. */
@Controller()
export class CiPathOperations {
  constructor(private readonly storages: Storages) {}

  @Handles(ciChangedPaths)
  async changed({ project }: ContextOf<typeof ciChangedPaths>, input: ParsedOf<typeof ciChangedPaths>) {
    const { engine, path } = this.storages.locate(project);
    const [from, to] = await Promise.all([input.from, input.to].map((name) => engine.objects.resolve(path, name)));
    if (!from || !to) return null;
    const since = input.since_merge_base ? await engine.mergeBases.findOfCommits(path, [from, to]) : from;
    if (!since) return { paths: [], is_truncated: true };
    const most = { paths: input.max_paths, bytes: input.max_bytes };
    const { paths, isWhole } = await engine.changedFiles.between(path, { from: since, to }, most);
    return { paths, is_truncated: !isWhole };
  }

  @Handles(ciTreePaths)
  async tree({ project }: ContextOf<typeof ciTreePaths>, input: ParsedOf<typeof ciTreePaths>) {
    const { engine, path } = this.storages.locate(project);
    const id = await engine.objects.resolve(path, input.sha);
    const commit = id && (await engine.commits.get(path, id));
    if (!commit) return null;
    const existing: string[] = [];
    for (const file of input.paths) {
      if ((await engine.trees.find(path, commit.treeId, file))?.type === 'blob') existing.push(file);
    }
    if (input.max_paths === 0) return { existing, files: [], is_truncated: false };
    const most = { entries: input.max_paths, bytes: input.max_bytes };
    const { paths, isWhole } = await engine.trees.files(path, commit.treeId, most);
    return { existing, files: paths, is_truncated: !isWhole };
  }
}
