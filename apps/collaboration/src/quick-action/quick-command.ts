/** A line of a note that asks for something, as `/close`. */
export interface QuickCommand {
  name: string;
  argument: string;
}

/** What came of the commands of one note. */
export interface AppliedCommands {
  /** What was changed, by the names of the wire. */
  changes: Record<string, unknown>;
  /** A sentence for each that was applied. */
  summary: string[];
}
