import {
  type ContextOf,
  contentErrors,
  invalidParameters,
  listTree,
  type Page,
  type ParsedOf,
  window,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { ListedEntry } from '../../git/objects/tree';
import { Storages } from '../../storage/storages';

type ListTree = ParsedOf<typeof listTree>;

@Controller()
export class TreeOperations {
  constructor(private readonly storages: Storages) {}

  @Handles(listTree)
  async list({ project }: ContextOf<typeof listTree>, input: ListTree) {
    const { engine, path } = this.storages.locate(project);
    const commit = await engine.commits.find(path, input.ref);
    if (!commit) throw contentErrors.treeNotFound();
    const { skip, limit } = window(input);
    const isKeyset = input.pagination === 'keyset';
    const page = await engine.trees.list(path, commit.treeId, {
      path: input.path,
      recursive: input.recursive,
      start: isKeyset ? keysetStart(input.page_token) : { offset: skip },
      limit,
    });
    // A missing path has an empty list, as existing clients expect.
    if (!page) return { items: [], total: 0 };
    return isKeyset ? keysetPage(page.entries, limit) : { items: page.entries, total: page.total };
  }
}

/** A token is the path of the last entry of the previous page. */
function keysetStart(token: string | undefined): { offset: number } | { after: string } {
  if (token === undefined) return { offset: 0 };
  if (token === '') throw invalidParameters('page_token is invalid');
  return { after: token };
}

function keysetPage(items: ListedEntry[], limit: number): Page<ListedEntry> {
  const last = items.at(-1);
  return { items, isKeyset: true, ...(items.length === limit && last && { next: { page_token: last.path } }) };
}
