import { OperationChecks, RateLimits, ResourceResolver, Validators } from '@moothall/access';
import { RecordsClient } from '@moothall/messaging';
import { Module } from '@nestjs/common';
import { InputReader } from '../parameters/input-reader';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { Unmodified } from './unmodified';

/** Reads the input, resolves the resource, and checks access. */
@Module({
  providers: [
    InputReader,
    Unmodified,
    Validators,
    {
      provide: ResourceResolver,
      inject: [RecordsClient],
      useFactory: (records: RecordsClient) => new ResourceResolver(records),
    },
    {
      provide: OperationChecks,
      inject: [gatewaySettingsToken, Validators, ResourceResolver, RateLimits],
      useFactory: (
        { EDITION }: GatewaySettings,
        validators: Validators,
        resources: ResourceResolver,
        limits: RateLimits,
      ) => new OperationChecks(EDITION, validators, resources, limits),
    },
  ],
  exports: [InputReader, OperationChecks, ResourceResolver, Unmodified],
})
export class AccessModule {}
