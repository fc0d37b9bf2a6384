import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { RequestGate } from './request-gate';
import { ResetController } from './reset.controller';

/** Requests may be held for a moment, and a server that is there for tests may be set back. */
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
