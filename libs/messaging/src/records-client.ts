import { type InputOf, type Operation, type OperationContext, type OutputOf, queryPrimary } from '@moothall/contracts';
import type { OperationClient } from './operation-client';

/**
 * Calls operations between services where the records are: at this site, or, if it serves copies, at its primary. The
 * operation must be in `geoQuestions`. See docs/api/geo-replication.md#5.
 */
export class RecordsClient {
  constructor(
    private readonly client: OperationClient,
    /** At the primary of this site. */
    readonly areElsewhere: boolean,
  ) {}

  /** @throws the error of the operation; common.unavailable if the primary does not answer */
  async call<T extends Operation>(
    operation: T,
    input: InputOf<T>,
    context: Partial<OperationContext> = {},
  ): Promise<OutputOf<T>> {
    if (!this.areElsewhere) return this.client.call(operation, input, context);
    const { caller, project } = context;
    const { answer } = await this.client.call(queryPrimary, {
      question: operation.name,
      parameters: input,
      ...(caller && { caller }),
      ...(project && { project_id: project.id }),
    });
    return answer as OutputOf<T>;
  }
}
