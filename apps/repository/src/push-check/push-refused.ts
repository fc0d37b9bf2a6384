/** The reason why a push is refused, as a message for the user who pushes. */
export class PushRefused extends Error {
  override name = 'PushRefused';

  constructor(words: string) {
    super(onOneLine(words));
  }
}

/** Escapes names and patterns of users, since git prints them on a terminal. */
export const onOneLine = (words: string): string => words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 1000);
