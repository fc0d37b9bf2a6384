/** What is used of it. */
declare module 'sax' {
  export interface Tag {
    name: string;
    attributes: Record<string, string>;
  }

  export interface Parser {
    onopentag: (tag: Tag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): Parser;
  }

  export function parser(strict: true): Parser;
}
