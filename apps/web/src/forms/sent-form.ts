import type { UploadedFile } from '@moothall/contracts';
import { withoutPassword } from './without-password';

/** A file that the user chose. */
type SentFile = UploadedFile & { sha256: string };

/** Fields that each form has, besides those that a user fills in. */
const ownFields = new Set(['csrf', 'token', 'form', 'of', 'was']);

/** A form as a browser sent it: each field is a text, or several ones. */
export class SentForm {
  constructor(
    private readonly fields: Record<string, unknown>,
    private readonly files: Readonly<Record<string, SentFile>> = {},
  ) {}

  /** All that was sent, the same for a form that is sent twice: tickets of files are not. */
  toJSON() {
    return { fields: this.fields, files: Object.entries(this.files).map(([name, { sha256 }]) => [name, sha256]) };
  }

  /** The text of a field, with line feeds as line ends; empty if it was not sent. */
  text(name: string): string {
    const value = this.fields[name];
    return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
  }

  /** A chosen file; undefined if the user chose none. */
  file(name: string): UploadedFile | undefined {
    const file = Object.hasOwn(this.files, name) ? this.files[name] : undefined;
    return file && { ticket: file.ticket };
  }

  /** Whether a browser sent the field as one text. */
  has(name: string): boolean {
    return Object.hasOwn(this.fields, name) && typeof this.fields[name] === 'string';
  }

  /** A value that the form contained, and the user did not see: `Given` of a form. */
  given(name: string): string {
    const values = this.fields.given;
    const value: unknown = typeof values === 'object' && values !== null && new Map(Object.entries(values)).get(name);
    return typeof value === 'string' ? value : '';
  }

  /** Whether a box was checked. A browser does not send one that is not. */
  flag(name: string): 'true' | 'false' {
    return this.text(name) === '1' ? 'true' : 'false';
  }

  /** The chosen values of a field with checkboxes. */
  list(name: string): string[] {
    const value = this.fields[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  /** Whether it is the form of that name. @param of the record, if a page has several of these forms */
  is(name: string, of = ''): boolean {
    return this.text('form') === name && this.text('of') === of;
  }

  /** What the user typed, without secrets, and URLs without passwords; a checked box is `1`. */
  typed(): [name: string, text: string][] {
    return Object.keys(this.fields)
      .filter((name) => !ownFields.has(name) && !name.startsWith('secret_') && !['', '1'].includes(this.text(name)))
      .map((name) => [name, /(^|_)url$/.test(name) ? withoutPassword(this.text(name)) : this.text(name)]);
  }
}
