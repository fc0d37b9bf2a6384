import { definitionOf, type ErrorValue, errorTable } from '@moothall/contracts';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** The response for an error value, by the table in contracts. See docs/api/answers.md#3. */
export function answerOf(value: ErrorValue): ErrorAnswer {
  const definition = errorTable.get(value.code) ?? definitionOf('common.internal');
  const message = value.message ?? definition.message;
  const body: Record<string, unknown> = { [definition.key ?? 'message']: message, ...value.details };
  // OAuth errors include a description of the code.
  if (value.code.startsWith('authentication.') && definition.key === 'error') {
    body.error_description = definition.means;
  }
  return { status: definition.status, body };
}
