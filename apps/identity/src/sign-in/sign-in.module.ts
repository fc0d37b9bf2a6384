import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module';
import { CheckPassword } from './check-password';
import { SignInLimit } from './sign-in-limit';

/** Password checks with limits. */
@Module({
  imports: [UserModule],
  providers: [CheckPassword, SignInLimit],
  exports: [CheckPassword, SignInLimit],
})
export class SignInModule {}
