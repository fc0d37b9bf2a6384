import { Module } from '@nestjs/common';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { EnsureAdministrator } from './ensure-administrator';

/** The first administrator of an instance. */
@Module({
  imports: [TokenModule, UserModule],
  controllers: [EnsureAdministrator],
})
export class AdministratorModule {}
