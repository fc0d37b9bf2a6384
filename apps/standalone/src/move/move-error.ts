import { isDriverError } from '@moothall/database/commands';
import { ProgramError } from '@moothall/infrastructure';
import { StartError } from '../data-folder/start-error';

/** The reason why a database was not moved, as one line for the user. */
export class MoveError extends Error {}

/** @returns a message for errors that the operator can fix */
export function explain(error: unknown): string | undefined {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof MoveError || error instanceof StartError || error instanceof ProgramError) return message;
  // Names that cannot be resolved are errors of Node.
  if (isDriverError(error) || typeof code === 'string')
    return `MongoDB failed: ${withoutPasswords(message)}. Run the same command again to continue.`;
  return undefined;
}

/** Removes passwords from URLs in a text. */
export const withoutPasswords = (text: string): string => text.replace(/\/\/[^@/\s]*@/g, '//***@');
