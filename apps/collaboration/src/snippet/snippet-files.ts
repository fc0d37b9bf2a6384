import {
  type createSnippet,
  isSnippetPath,
  type ParsedOf,
  snippetErrors,
  snippetFileLimit,
  snippetLimitBytes,
  type updateSnippet,
} from '@moothall/contracts';
import type { SnippetFile } from './snippet.schema';

type Given = Pick<ParsedOf<typeof createSnippet>, 'file_name' | 'content' | 'files'>;
type Change = Pick<ParsedOf<typeof updateSnippet>, 'file_name' | 'content' | 'files'>;
type Action = NonNullable<Change['files']>[number];

/** Files of a new snippet. @throws snippet.files_refused */
export function firstFiles({ file_name, content, files }: Given): SnippetFile[] {
  const given = files?.map((file) => ({ path: file.file_path, content: file.content }));
  return checked(given ?? [{ path: file_name ?? '', content: content ?? '' }]);
}

/** Files after a change; the same array where it changes none. @throws snippet.files_refused */
export function filesAfter(current: SnippetFile[], { file_name, content, files }: Change): SnippetFile[] {
  if (files) return checked(files.reduce(apply, current));
  if (file_name === undefined && content === undefined) return current;
  const [first, ...others] = current;
  if (!first || others.length > 0) {
    throw refused('To update Snippets with multiple files, you must use the `files` parameter');
  }
  return checked([{ path: file_name ?? first.path, content: content ?? first.content }]);
}

function apply(files: SnippetFile[], { action, file_path, previous_path, content }: Action): SnippetFile[] {
  if (file_path === undefined) throw refused('file_path is missing');
  const path = action === 'move' ? (previous_path ?? '') : file_path;
  const at = files.findIndex((file) => file.path === path);
  if (action === 'create') {
    if (content === undefined) throw refused(`content is missing for ${file_path}`);
    return [...files, { path: file_path, content }];
  }
  if (at < 0) throw refused(`A file with this name doesn't exist: ${path}`);
  if (action === 'delete') return files.toSpliced(at, 1);
  if (action === 'update' && content === undefined) throw refused(`content is missing for ${file_path}`);
  return files.with(at, { path: file_path, content: content ?? files[at]?.content ?? '' });
}

function checked(files: SnippetFile[]): SnippetFile[] {
  if (files.length === 0) throw refused('A snippet needs a file');
  if (files.length > snippetFileLimit) throw refused(`Too many files (maximum is ${snippetFileLimit})`);
  const bad = files.find(({ path }) => !isSnippetPath(path));
  if (bad) throw refused(`Invalid file name: ${bad.path}`);
  const taken = files.find(({ path }, at) => files.findIndex((file) => file.path === path) < at);
  if (taken) throw refused(`A file with this name already exists: ${taken.path}`);
  const sizeBytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (sizeBytes > snippetLimitBytes) throw refused(`Content is too long (maximum is ${snippetLimitBytes} bytes)`);
  return files;
}

const refused = (error: string) => snippetErrors.filesRefused({ error });
