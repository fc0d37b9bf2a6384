import { type ContextOf, ciSource, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GitError } from '../git/errors';
import { type Located, Storages } from '../storage/storages';

type Source = ParsedOf<typeof ciSource>;

const noObject = '0'.repeat(40);

/** What the ci service makes a pipeline from. */
@Controller()
export class CiSourceOperations {
  constructor(private readonly storages: Storages) {}

  @Handles(ciSource)
  async source({ project }: ContextOf<typeof ciSource>, { ref, path: file, max_bytes }: Source) {
    const located = this.storages.locate(project!);
    const { engine, path } = located;
    const branch = await engine.refs.find(path, 'heads', ref);
    const found = branch ?? (await engine.refs.find(path, 'tags', ref));
    const commit = found?.commitId ? await engine.commits.get(path, found.commitId) : null;
    if (!commit) return null;
    return {
      ref_type: branch ? ('branch' as const) : ('tag' as const),
      commit: {
        id: commit.id,
        message: commit.message,
        author_name: commit.author.name,
        author_email: commit.author.email,
        committed_date: commit.committer.date,
      },
      before_sha: commit.parentIds[0] ?? noObject,
      content: await this.textOf(located, commit.treeId, file, max_bytes),
    };
  }

  private async textOf({ engine, path }: Located, treeId: string, file: string, maxBytes: number) {
    const entry = await engine.trees.find(path, treeId, file);
    if (entry?.type !== 'blob') return null;
    const blob = await engine.objects.read(path, entry.id, maxBytes).catch((error: unknown) => {
      if (error instanceof GitError && error.reason === 'object_too_large') return null;
      throw error;
    });
    return blob && Buffer.from(blob.content.toString('utf8')).equals(blob.content)
      ? blob.content.toString('utf8')
      : null;
  }
}
