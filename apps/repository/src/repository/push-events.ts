import { type Caller, type ProjectRef, repositoryPushed } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { GitEngine } from '../git/engine';
import type { RefUpdate } from '../git/refs';
import type { Located } from '../storage/storages';

/** What is true of a repository after a change; projects keeps a copy of it. */
export interface RepositoryState {
  default_branch: string | null;
  is_empty: boolean;
  readme_path: string | null;
}

const noObject = '0'.repeat(40);
const readme = /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|rdoc|txt))?$/i;

export async function stateOf({ engine, path }: Located): Promise<RepositoryState> {
  const branch = await engine.storage.defaultBranch(path);
  const commit = branch === null ? null : await engine.commits.find(path, `refs/heads/${branch}`);
  const hasBranches = commit !== null || (await engine.refs.list(path, 'heads')).length > 0;
  return {
    default_branch: hasBranches ? branch : null,
    is_empty: !hasBranches,
    readme_path: commit ? await readmeOf(engine, path, commit.treeId) : null,
  };
}

async function readmeOf(engine: GitEngine, path: string, treeId: string): Promise<string | null> {
  const entries = await engine.trees.entries(path, treeId);
  return entries.find((entry) => entry.type === 'blob' && readme.test(entry.name))?.name ?? null;
}

/** Tells the others that refs moved. */
@Injectable()
export class PushEvents {
  constructor(private readonly publisher: EventPublisher) {}

  /** The first push decides the default branch, where HEAD names one that was not pushed. */
  async announce(
    located: Located,
    project: Pick<ProjectRef, 'id'>,
    caller: Caller | undefined,
    updates: readonly RefUpdate[],
  ): Promise<void> {
    if (updates.length === 0) return;
    await this.chooseDefaultBranch(located, updates);
    const state = await stateOf(located);
    for (const { refName, before, after } of updates) {
      await this.publisher.publish(
        newEvent(repositoryPushed, {
          project_id: project.id,
          user_id: caller?.id ?? null,
          ref: refName,
          before: before ?? noObject,
          after: after ?? noObject,
          ...state,
        }),
      );
    }
  }

  private async chooseDefaultBranch({ engine, path }: Located, updates: readonly RefUpdate[]): Promise<void> {
    const present = await engine.storage.defaultBranch(path);
    if (present !== null && (await engine.objects.readRef(path, `refs/heads/${present}`))) return;
    const pushed = updates.find(({ refName, after }) => refName.startsWith('refs/heads/') && after !== null);
    if (pushed) await engine.storage.setDefaultBranch(path, pushed.refName.slice('refs/heads/'.length));
  }
}
