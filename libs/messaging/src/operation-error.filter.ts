import { OperationError } from '@moothall/contracts';
import { Catch, type ExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** Passes errors to the transport unchanged; Nest would convert them to texts. */
@Catch()
export class OperationErrorFilter implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => (error instanceof OperationError ? error : asError(error)));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
