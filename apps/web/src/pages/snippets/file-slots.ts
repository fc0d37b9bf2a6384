import { type OutputOf, type readSnippetFiles, snippetFileLimit } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { fitsTextArea } from '../../forms/text-area';

export type SnippetFile = OutputOf<typeof readSnippetFiles>[number];

/** The fields of one file in the form of a snippet: `name_1`, `content_1`, `remove_1`, and hidden `file_1`. */
export interface FileSlot {
  number: number;
  /** The path that the file has on the server; empty for a new file. */
  path: string;
  name: string;
  /** Undefined for a content that the form leaves as it is. */
  content: string | undefined;
}

const numbers = Array.from({ length: snippetFileLimit }, (_, at) => at + 1);

/**
 * One slot for each file that a snippet can have.
 * @param sent the form: its files stay in their slots, also if others are there now, or none
 */
export const slotsOf = (files: readonly SnippetFile[], sent?: SentForm): FileSlot[] =>
  numbers.map((number) => {
    const path = sent ? sent.given(`file_${number}`) : (files[number - 1]?.path ?? '');
    const file = files.find((each) => each.path === path);
    if (!file) return { number, path, name: '', content: '' };
    // What was typed is shown in any case.
    const isField = isWhole(file) || (sent !== undefined && sent.text(`content_${number}`) !== '');
    return { number, path, name: path, content: isField ? file.text : undefined };
  });

const isWhole = ({ is_whole, text }: SnippetFile): boolean => is_whole && fitsTextArea(text);

/** The values of slots. */
export const slotValues = (slots: readonly FileSlot[]): FieldValues =>
  Object.fromEntries(
    slots.flatMap(({ number, name, content }) => [
      [`name_${number}`, name],
      ...(content === undefined ? [] : [[`content_${number}`, content]]),
    ]),
  );

/** What the user typed into a slot. */
export interface SentSlot {
  number: number;
  path: string;
  name: string;
  content: string;
  isRemoved: boolean;
}

export const sentSlots = (sent: SentForm): SentSlot[] =>
  numbers.map((number) => ({
    number,
    path: sent.given(`file_${number}`),
    name: sent.text(`name_${number}`),
    content: sent.text(`content_${number}`),
    isRemoved: sent.text(`remove_${number}`) === '1',
  }));

/** Whether the user wants this file. */
export const isFilled = ({ name, content, isRemoved }: SentSlot): boolean =>
  !isRemoved && (name.trim() !== '' || content.trim() !== '');

/** The values of sent slots; a removed file has none. */
export const sentSlotValues = (slots: readonly SentSlot[]): FieldValues =>
  Object.fromEntries(
    slots.flatMap(({ number, name, content, isRemoved }) => [
      [`name_${number}`, isRemoved ? '' : name],
      [`content_${number}`, isRemoved ? '' : content],
    ]),
  );
