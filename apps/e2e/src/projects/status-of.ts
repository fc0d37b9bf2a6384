import { GitbeakerRequestError } from '@gitbeaker/rest';

/** Status of the response that a client turns into an exception; 0 without an exception. */
export async function statusOf(request: Promise<unknown>): Promise<number> {
  return request.then(
    () => 0,
    (error: unknown) => {
      if (!(error instanceof GitbeakerRequestError)) throw error;
      return error.cause?.response.status ?? 0;
    },
  );
}
