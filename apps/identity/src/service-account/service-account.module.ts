import { Module } from '@nestjs/common';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { GroupServiceAccounts, InstanceServiceAccounts } from './service-account.operations';
import { ServiceAccountTokens } from './service-account-tokens';
import { ServiceAccounts } from './service-accounts';

/** Service accounts of the instance and of groups. */
@Module({
  imports: [TokenModule, UserModule],
  controllers: [GroupServiceAccounts, InstanceServiceAccounts, ServiceAccountTokens],
  providers: [ServiceAccounts],
  exports: [ServiceAccounts],
})
export class ServiceAccountModule {}
