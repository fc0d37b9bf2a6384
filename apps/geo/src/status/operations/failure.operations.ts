import { type ContextOf, geoErrors, listGeoFailures, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { type FailureType, ReplicaFailures } from '../../replication/replica-failures';
import { replicaKinds } from '../../replication/replica-row.schema';
import { viewFailure } from '../failure.view';

type Input = ParsedOf<typeof listGeoFailures>;

/** What a secondary did not copy. See docs/api/geo.md#4. */
@Controller()
export class FailureOperations {
  constructor(
    private readonly nodes: GeoNodes,
    private readonly failures: ReplicaFailures,
  ) {}

  @Handles(listGeoFailures)
  async list(_: ContextOf<typeof listGeoFailures>, input: Input) {
    const { isPrimary } = await this.nodes.getCurrent();
    if (isPrimary) throw geoErrors.notOfPrimary();
    const page = await this.failures.page(failureOf(input), kindsOf(input), input);
    return { ...page, items: page.items.map(viewFailure) };
  }
}

/** Either parameter may say what failed, and what of. */
const failureOf = ({ type, failure_type }: Input): FailureType => {
  if (failure_type !== undefined) return failure_type;
  return type === 'repository' || type === 'wiki' ? 'sync' : type;
};

const kindsOf = ({ type }: Input) =>
  type === 'repository' ? (['code'] as const) : type === 'wiki' ? (['wiki'] as const) : replicaKinds;
