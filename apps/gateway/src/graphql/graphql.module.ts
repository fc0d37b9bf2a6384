import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { Asker } from './asker';
import { Graphql } from './graphql';
import { GraphqlController } from './graphql.controller';

/** GraphQL over the operations of the interface. */
@Module({
  imports: [AccessModule, CredentialsModule],
  controllers: [GraphqlController],
  providers: [Asker, Graphql],
})
export class GraphqlModule {}
