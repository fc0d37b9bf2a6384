import { commonErrors, definitionOf, isError, type OperationError, wordsOf } from '@moothall/contracts';
import { isUntouched } from './changes';
import type { SentForm } from './sent-form';

/** Names of problems that are whole sentences, and about no single field. */
const ofWholeRecord = new Set(['base', 'error']);

/** A form that was refused: what was typed, and what is wrong. */
export class RefusedForm {
  /** Whether the page has shown the form again. */
  isShown = false;
  /** The labels of the fields that the page has shown, by name. */
  readonly labels = new Map<string, string>();

  constructor(
    readonly sent: SentForm,
    private readonly error: OperationError,
  ) {}

  /** Of the page that shows the form again. */
  get status(): number {
    const { status } = definitionOf(this.error.code);
    return status === 429 || status >= 500 ? status : 422;
  }

  /** Whether somebody changed the same fields meanwhile. */
  get isConflict(): boolean {
    return isError(this.error, commonErrors.conflict) && typeof this.error.value.message === 'object';
  }

  /** What the user typed; undefined for a field that shows the value of now, since the user left it as it was before a conflict. */
  typed(field: string): string | undefined {
    return this.isConflict && isUntouched(this.sent, field) ? undefined : this.sent.text(field);
  }

  /** Problems of one field, without its name: `can't be blank`. */
  of(field: string): string[] {
    return this.problems().flatMap((problem) => (problem.field === field ? problem.words.replace(/\.$/, '') : []));
  }

  /**
   * All problems in sentences, with the labels of the fields: `Title can't be blank. Due date is invalid.` Errors with a
   * fixed text are explained in the table of errors.
   */
  get summary(): string {
    if (this.error.value.message === undefined) return sentence(definitionOf(this.error.code).means);
    return this.problems()
      .map(({ field, words }) => sentence(field === undefined ? words : `${this.labelOf(field)} ${words}`))
      .join(' ');
  }

  /** A parameter without a field has its name. */
  private labelOf(field: string): string {
    return this.labels.get(field) ?? field.replaceAll('_', ' ');
  }

  private problems(): { field: string | undefined; words: string }[] {
    const { message = definitionOf(this.error.code).message } = this.error.value;
    if (typeof message === 'object' && !Array.isArray(message)) {
      return Object.entries(message).flatMap(([name, texts]) => {
        const field = ofWholeRecord.has(name) ? undefined : name;
        return [texts].flat().map((text) => ({ field, words: String(text).trim() }));
      });
    }
    const inText = typeof message === 'string' ? listedIn(message) : [];
    if (inText.length > 0) return inText;
    const text = wordsOf(this.error);
    if (!isError(this.error, commonErrors.invalidParameters)) return [{ field: undefined, words: plain(text) }];
    // Each one begins with the name of its parameter.
    return text.split(nextProblem).map((one) => {
      const [field = '', ...words] = one.split(' ');
      return { field, words: words.join(' ') };
    });
  }
}

/** Between two problems: a name and words follow. In one problem are lists of single words: `http, https, ftp`. */
const nextProblem = /, (?=[^ ,]+ )/;

/** Problems by field in a text, as v4 writes some: `Failed to save group {:path=>["has already been taken"]}`. */
const listedIn = (text: string): { field: string; words: string }[] =>
  [...text.matchAll(listed)].flatMap(([, field = '', list = '']) =>
    (JSON.parse(list) as string[]).map((words) => ({ field, words })),
  );

/** A field, and an array of JSON with texts. */
const listed = /:(\w+)=>(\[(?:"(?:[^"\\\p{Cc}]|\\["\\bfnrt]|\\u[\da-f]{4})*"(?:, (?=")|(?=\])))+\])/gu;

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`.replace(/\.?$/, '.');

/** Without the status: `400 Bad request - …`. */
const plain = (text: string): string => text.replace(/^\d{3} /, '').replace(/^(?:Bad request|Forbidden) - /, '');
