import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { RequestGate } from './request-gate';
import { ResetController } from './reset.controller';

/** Pauses requests, and resets a server for tests. */
@Global()
@Module({})
export class ResetModule {
  static forServer(isResettable: boolean): DynamicModule {
    return {
      module: ResetModule,
      imports: [CredentialsModule],
      controllers: isResettable ? [ResetController] : [],
      providers: [RequestGate],
      exports: [RequestGate],
    };
  }
}
