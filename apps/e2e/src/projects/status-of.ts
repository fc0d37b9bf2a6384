import { GitbeakerRequestError } from '@gitbeaker/rest';

/** Status of the answer that a client turns into an exception; 0 when it was none. */
export async function statusOf(request: Promise<unknown>): Promise<number> {
  return request.then(
    () => 0,
    (error: unknown) => {
      if (!(error instanceof GitbeakerRequestError)) throw error;
      return error.cause?.response.status ?? 0;
    },
  );
}
