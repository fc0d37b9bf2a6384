import { Module } from '@nestjs/common';
import { OauthModule } from '../../oauth/oauth.module';
import { PageModule } from '../../page/page.module';
import { ApplicationModule } from '../application.module';
import { ApplicationOperations } from './application.operations';
import { ApplicationPages } from './application-pages';
import { NodeApplications } from './node-applications';
import { RemoveApplication } from './remove-application';

/** Operations and pages of applications. */
@Module({
  imports: [ApplicationModule, OauthModule, PageModule],
  providers: [RemoveApplication],
  controllers: [ApplicationOperations, ApplicationPages, NodeApplications],
})
export class ApplicationOperationsModule {}
