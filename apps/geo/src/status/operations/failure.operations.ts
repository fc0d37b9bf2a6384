import { type ContextOf, geoErrors, listFailedCopies, listGeoFailures, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { FailedCopies } from '../../replication/failed-copies';
import { type FailureType, ReplicaFailures } from '../../replication/replica-failures';
import { repositoryKinds } from '../../replication/replica-row.schema';
import { viewFailedCopy, viewFailure } from '../failure.view';

type Input = ParsedOf<typeof listGeoFailures>;

/** Failures of a secondary. See docs/api/geo.md#4. */
@Controller()
export class FailureOperations {
  constructor(
    private readonly nodes: GeoNodes,
    private readonly failures: ReplicaFailures,
    private readonly copies: FailedCopies,
  ) {}

  @Handles(listGeoFailures)
  async list(_: ContextOf<typeof listGeoFailures>, input: Input) {
    await this.requireSecondary();
    const page = await this.failures.page(failureOf(input), kindsOf(input), input);
    return { ...page, items: page.items.map(viewFailure) };
  }

  @Handles(listFailedCopies)
  async listCopies(_: ContextOf<typeof listFailedCopies>, { kind, ...paging }: ParsedOf<typeof listFailedCopies>) {
    await this.requireSecondary();
    const wanted = kind === 'repositories' ? 'code' : kind === 'wikis' ? 'wiki' : kind;
    const page = await this.copies.page(wanted, paging);
    return { ...page, items: page.items.map(viewFailedCopy) };
  }

  private async requireSecondary(): Promise<void> {
    if ((await this.nodes.getCurrent()).isPrimary) throw geoErrors.notOfPrimary();
  }
}

/** Either parameter may name the failed step and the kind. */
const failureOf = ({ type, failure_type }: Input): FailureType => {
  if (failure_type !== undefined) return failure_type;
  return type === 'repository' || type === 'wiki' ? 'sync' : type;
};

const kindsOf = ({ type }: Input) =>
  type === 'repository' ? (['code'] as const) : type === 'wiki' ? (['wiki'] as const) : repositoryKinds;
