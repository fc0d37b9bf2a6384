import { type BlobMatch, contentErrors, type Page, type ProjectRef, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { GitEngine } from '../../git/engine';
import { decodeText } from '../../git/process/text';
import type { SearchedFile } from '../../git/read/code-search';
import type { Hunk } from '../../git/read/parse-grep';
import { type Located, Storages } from '../../storage/storages';
import { type BlobQuery, readBlobQuery } from './blob-query';

/** Limit of matches. */
const maxPlaces = 1000;
/** Bytes shown of a file that matched by path. */
const beginningBytes = 1024;

interface Input {
  search: string;
  ref?: string | undefined;
  page: number;
  per_page: number;
}

/** A file that matched by path, or a match in a file. */
type Found = { file: SearchedFile } | { hunk: Hunk };

/** Searches the files of a project, or the pages of its wiki: file names first, then contents. */
@Injectable()
export class SearchBlobs {
  constructor(private readonly storages: Storages) {}

  /** @throws repository_content.ref_not_found; git.timed_out, git.cancelled */
  async search(
    project: ProjectRef,
    kind: 'code' | 'wiki',
    input: Input,
    signal: AbortSignal,
  ): Promise<Page<BlobMatch>> {
    const located = this.storages.locate(project, kind);
    const { engine, path } = located;
    const commit = (await engine.storage.exists(path)) ? await engine.commits.find(path, input.ref) : null;
    if (!commit) {
      if (input.ref !== undefined) throw contentErrors.refNotFound();
      return { items: [], total: 0 };
    }
    const query = readBlobQuery(input.search);
    const { found, isAll } = await find(located, commit.treeId, query, signal);
    const ref = input.ref ?? (await engine.storage.defaultBranch(path)) ?? commit.id;
    const { skip, limit } = window(input);
    const shown = found.slice(skip, skip + limit);
    const items = await Promise.all(shown.map(async (one) => viewPlace(await placeOf(located, one), ref, project.id)));
    return { items, total: isAll ? found.length : undefined };
  }
}

async function find({ engine, path }: Located, treeId: string, query: BlobQuery, signal: AbortSignal) {
  const all = await engine.codeSearch.files(path, treeId, signal);
  const files = query.hasFilters ? all.filter((file) => query.isMeant(file.path.toLowerCase())) : all;
  const wanted = query.text.toLowerCase();
  const named: Found[] = [];
  for (const file of files) {
    if (named.length === maxPlaces) return { found: named, isAll: false };
    if (file.path.toLowerCase().includes(wanted)) named.push({ file });
  }
  if (query.text === '') return { found: named, isAll: true };
  const limit = maxPlaces - named.length;
  const { hunks, isAll } = await engine.codeSearch.grep(path, files, query.text, { limit, signal });
  return { found: [...named, ...hunks.map((hunk) => ({ hunk }))], isAll };
}

async function placeOf({ engine, path }: Located, found: Found): Promise<Hunk> {
  if ('hunk' in found) return found.hunk;
  return { path: found.file.path, startLine: 1, text: await beginningOf(engine, path, found.file.blobId) };
}

async function beginningOf(engine: GitEngine, repository: string, blobId: string): Promise<string> {
  const blob = await engine.objects.read(repository, blobId);
  const beginning = blob?.content.subarray(0, beginningBytes) ?? Buffer.alloc(0);
  return beginning.includes(0) ? '' : decodeText(withoutCutCharacter(beginning));
}

/** Removes a UTF-8 character that was cut at the end. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && (bytes.readUInt8(end - 1) & 0xc0) === 0x80) end -= 1;
  const last = end > 0 ? bytes.readUInt8(end - 1) : 0;
  const length = last >= 0xf0 ? 4 : last >= 0xe0 ? 3 : last >= 0xc0 ? 2 : 1;
  return length > 1 && end - 1 + length > bytes.length ? bytes.subarray(0, end - 1) : bytes;
}

const viewPlace = ({ path, startLine, text }: Hunk, ref: string, projectId: number): BlobMatch => ({
  basename: path.replace(/\.[^./]*$/, ''),
  data: text,
  path,
  filename: path,
  id: null,
  ref,
  startline: startLine,
  project_id: projectId,
});
