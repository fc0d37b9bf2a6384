import { Module } from '@nestjs/common';
import { PageModule } from '../page/page.module';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { EnsureAdministrator } from './ensure-administrator';
import { BackgroundJobsPage } from './pages/background-jobs-page';

/** The first administrator of an instance, and pages for administrators. */
@Module({
  imports: [PageModule, TokenModule, UserModule],
  controllers: [BackgroundJobsPage, EnsureAdministrator],
})
export class AdministratorModule {}
