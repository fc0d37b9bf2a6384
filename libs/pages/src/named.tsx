/**
 * A name chosen by a user, isolated from the text around it. Otherwise right-to-left scripts would mix with it; and a
 * character that overrides the direction could change how a sentence reads.
 */
export const Named = ({ children }: { children: string }) => <bdi>{withoutTurns(children)}</bdi>;

/** Without characters that override or isolate directions. Source: Unicode UAX #9, 2.2 to 2.5. */
export const withoutTurns = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
