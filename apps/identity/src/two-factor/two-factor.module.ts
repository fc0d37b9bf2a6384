import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module';
import { TwoFactors } from './two-factor';

/** Second factors of users. */
@Module({
  imports: [UserModule],
  providers: [TwoFactors],
  exports: [TwoFactors],
})
export class TwoFactorModule {}
