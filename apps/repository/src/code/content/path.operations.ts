import { type ContextOf, contentErrors, findPath, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { Commit } from '../../git/objects/commit';
import { splitPath } from '../../git/objects/tree';
import { type Located, Storages } from '../../storage/storages';

/** Names with more segments are not found: each possible name is looked up. */
const mostSegmentsOfRef = 32;

interface Beginning {
  ref: string;
  path: string;
  commit: Commit;
}

@Controller()
export class PathOperations {
  constructor(private readonly storages: Storages) {}

  @Handles(findPath)
  async find({ project }: ContextOf<typeof findPath>, { ref_and_path }: ParsedOf<typeof findPath>) {
    const located = this.storages.locate(project);
    const { engine, path: folder } = located;
    const found = await beginningOf(located, splitPath(ref_and_path));
    if (!found) throw contentErrors.treeNotFound();
    const { ref, path, commit } = found;
    const entry = await engine.trees.find(folder, commit.treeId, path);
    if (!entry) throw contentErrors.fileNotFound();
    const { id, type, mode } = entry;
    const size = type === 'blob' ? ((await engine.objects.info(folder, id))?.sizeBytes ?? null) : null;
    return { ref, path, commit_id: commit.id, id, type, mode, size };
  }
}

/** Splits the segments into the longest name of a ref and the rest. */
async function beginningOf({ engine, path }: Located, segments: readonly string[]): Promise<Beginning | undefined> {
  if (segments.length === 0) {
    const ref = await engine.storage.defaultBranch(path);
    const commit = ref && (await engine.commits.find(path, ref));
    return commit ? { ref, path: '', commit } : undefined;
  }
  for (let length = Math.min(segments.length, mostSegmentsOfRef); length > 0; length--) {
    const ref = segments.slice(0, length).join('/');
    const commit = await engine.commits.find(path, ref);
    if (commit) return { ref, path: segments.slice(length).join('/'), commit };
  }
  return undefined;
}
