import { randomUUID } from 'node:crypto';
import { type InputOf, invalidRecord, type updateSnippet } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import { withLineEndsOf } from '../../forms/text-area';
import { isFilled, type SentSlot, type SnippetFile } from './file-slots';

type Actions = NonNullable<InputOf<typeof updateSnippet>['files']>;

/** The files of a new snippet. @throws common.invalid_record for one without a name or a content */
export function newFilesOf(slots: readonly SentSlot[]): { file_path: string; content: string }[] {
  const filled = slots.filter((slot) => slot.number === 1 || isFilled(slot));
  requireComplete(filled);
  return filled.map(({ name, content }) => ({ file_path: name, content }));
}

/**
 * The actions that change the files of a snippet to those of a form.
 * @param changes the fields that the user changed
 * @throws common.invalid_record for a file without a name or a content
 */
export function actionsOf(slots: readonly SentSlot[], changes: FieldValues, files: readonly SnippetFile[]): Actions {
  const changed = slots.filter(({ number }) => `name_${number}` in changes || `content_${number}` in changes);
  const edits = changed.flatMap((slot) => editOf(slot, changes, files) ?? []);
  const kept = edits.filter(({ isRemoved }) => !isRemoved);
  const created = changed.filter((slot) => isFilled(slot) && !edits.some((edit) => edit.slot === slot));
  const keepContent = new Set(kept.flatMap(({ slot, content }) => (content === undefined ? slot : [])));
  requireComplete([...kept.map(({ slot }) => slot), ...created], keepContent);
  return [
    ...edits.flatMap(({ isRemoved, path }) => (isRemoved ? { action: 'delete' as const, file_path: path } : [])),
    ...moves(kept),
    ...kept.flatMap(({ path, name, content }) =>
      name === path && content !== undefined ? { action: 'update' as const, file_path: path, content } : [],
    ),
    ...created.map(({ name, content }) => ({ action: 'create' as const, file_path: name, content })),
  ];
}

/** A change of a file that the server has. */
interface Edit {
  slot: SentSlot;
  isRemoved: boolean;
  path: string;
  name: string;
  /** Undefined if it stays. */
  content: string | undefined;
}

function editOf(slot: SentSlot, changes: FieldValues, files: readonly SnippetFile[]): Edit | undefined {
  const { path, name, isRemoved, number } = slot;
  const file = files.find((each) => each.path === path);
  const content = changes[`content_${number}`];
  return file && { slot, isRemoved, path, name, content: content && withLineEndsOf(file.text, content) };
}

/** By names that no file has, so that files can exchange theirs. */
function moves(edits: readonly Edit[]): Actions {
  const moved = edits.filter(({ path, name }) => path !== name).map((edit) => ({ ...edit, between: randomUUID() }));
  return [
    ...moved.map(({ path, between }) => ({ action: 'move' as const, previous_path: path, file_path: between })),
    ...moved.map(({ between, name, content }) => ({
      ...{ action: 'move' as const, previous_path: between, file_path: name },
      ...(content !== undefined && { content }),
    })),
  ];
}

/** @param keepContent slots that may have an empty field */
function requireComplete(slots: readonly SentSlot[], keepContent: ReadonlySet<SentSlot> = new Set()): void {
  const problems = slots.flatMap((slot) => [
    ...(slot.name.trim() === '' ? [`name_${slot.number}`] : []),
    ...(slot.content.trim() === '' && !keepContent.has(slot) ? [`content_${slot.number}`] : []),
  ]);
  if (problems.length > 0)
    throw invalidRecord(Object.fromEntries(problems.map((field) => [field, ["can't be blank"]])));
}
