import { type EventData, present, type wikiPageChanged } from '@moothall/contracts';
import { decodeText } from '../git/process/text';
import type { Located } from '../storage/storages';
import { pageOf, titleOf } from './page-path';

type Change = Omit<EventData<typeof wikiPageChanged>, 'project_id' | 'user'>;
type Action = Change['action'];

const maxCommits = 20;
const maxContentBytes = 256 << 10;

/** Page changes of the newest commits of a wiki, oldest first; attachments and other files are not pages. */
export async function wikiChangesOf(located: Located, before: string | null, after: string): Promise<Change[]> {
  const { engine, path } = located;
  const ids = await engine.log.ids(path, { from: after, not: before ? [before] : [], limit: maxCommits });
  const commits = await engine.commits.list(path, ids.toReversed());
  const files = await engine.changedFiles.list(path, commits);
  const changes: Change[] = [];
  for (const { id, treeId, message } of commits) {
    const { added, modified, removed } = present(files.get(id), `what ${id} changes`);
    const changesBy = (action: Action, paths: string[]) => paths.map((file) => ({ action, file }));
    const touched = [...changesBy('create', added), ...changesBy('update', modified), ...changesBy('delete', removed)];
    const renamed = added.some((file) => pageOf(file)) && removed.some((file) => pageOf(file));
    for (const { action, file } of touched) {
      const page = pageOf(file);
      // A moved page is one change, listed under its new name.
      if (!page || (renamed && action === 'delete')) continue;
      changes.push({
        action: renamed && action === 'create' ? 'update' : action,
        ...page,
        title: titleOf(page.slug),
        content: action === 'delete' ? '' : await contentOf(located, treeId, file),
        message: message.trimEnd(),
        version_id: id,
      });
    }
  }
  return changes;
}

async function contentOf({ engine, path }: Located, treeId: string, file: string): Promise<string> {
  const entry = await engine.trees.find(path, treeId, file);
  const info = entry && (await engine.objects.info(path, entry.id));
  if (!info || info.sizeBytes > maxContentBytes) return '';
  return decodeText((await engine.objects.require(path, entry.id)).content);
}
