import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { SecondaryModule } from '../secondary/secondary.module';
import { generatedControllers } from './generated-controllers';
import { RequestPipeline } from './request-pipeline';

/** The routes of the API, generated from the contracts. */
@Module({
  imports: [AccessModule, CredentialsModule, SecondaryModule],
  controllers: generatedControllers(),
  providers: [RequestPipeline],
  exports: [RequestPipeline],
})
export class RoutesModule {}
