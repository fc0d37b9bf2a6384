import { type ContextOf, geoErrors, listGeoFailures, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';

/** What a secondary did not copy. See docs/api/geo.md#4. */
@Controller()
export class FailureOperations {
  constructor(private readonly nodes: GeoNodes) {}

  @Handles(listGeoFailures)
  async list(_: ContextOf<typeof listGeoFailures>, __: ParsedOf<typeof listGeoFailures>) {
    const { isPrimary } = await this.nodes.getCurrent();
    if (isPrimary) throw geoErrors.notOfPrimary();
    return { items: [], total: 0 };
  }
}
