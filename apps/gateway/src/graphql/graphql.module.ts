import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { Graphql } from './graphql';
import { GraphqlController } from './graphql.controller';
import { OperationRunner } from './operation-runner';

/** GraphQL on top of the operations of the API. */
@Module({
  imports: [AccessModule, CredentialsModule],
  controllers: [GraphqlController],
  providers: [OperationRunner, Graphql],
})
export class GraphqlModule {}
